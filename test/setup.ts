/** Preloaded by `bun test`. Stops what the test files of a run share. */
import { afterAll } from 'bun:test';
import { endRun } from './fixtures/end-of-run.ts';

// It waits until the services hold nothing and have stopped.
afterAll(endRun, 60_000);
