/** Preloaded by `bun test`. Makes a run repeatable, and stops what the test files of a run share. */
import { afterAll } from 'bun:test';
import fc from 'fast-check';
import { endRun } from './fixtures/end-of-run.ts';

// Each run has the same random cases, and no change fails for an older fault. Other seeds search.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });

// It waits until the services hold nothing and have stopped.
afterAll(endRun, 60_000);
