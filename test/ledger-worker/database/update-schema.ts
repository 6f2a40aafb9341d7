/** Writes down the schema as it is now. What has changed, `git diff` tells. */
import { writeFileSync } from 'node:fs';
import { stopSystem } from '../../fixtures/system.ts';
import { describeSchema, EXPECTED } from './schema.ts';

writeFileSync(EXPECTED, await describeSchema());
await stopSystem();
