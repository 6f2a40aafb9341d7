/** Writes the present schema to its file. `git diff` shows the changes. */
import { writeFileSync } from 'node:fs';
import { endRun } from '../../fixtures/end-of-run.ts';
import { describeSchema, EXPECTED } from './schema.ts';

writeFileSync(EXPECTED, await describeSchema());
await endRun();
