/** Preloaded by `bun test`. Stops what the test files of a run share. */
import { afterAll } from 'bun:test';
import { hasCitus } from './fixtures/citus-program.ts';
import { endRun } from './fixtures/end-of-run.ts';

if (process.env.TEST_DATABASE === 'citus' && !hasCitus()) {
  console.log(
    'Skipped: all of these tests again on a distributed database, because there is no Citus (PG_CONFIG).',
  );
  process.exit(0);
}

// It waits until the services hold nothing and have stopped.
afterAll(endRun, 60_000);
