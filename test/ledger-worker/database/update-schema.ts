/** Writes down the schema as it is now. What has changed, `git diff` tells. */
import { writeFileSync } from 'node:fs';
import { endRun } from '../../fixtures/end-of-run.ts';
import { describeSchema, EXPECTED } from './schema.ts';

writeFileSync(EXPECTED, await describeSchema());
await endRun();
