/** Preloaded by `bun test`: one real system for the whole run, gone when it ends. */
import { afterAll } from 'bun:test';
import { stopSystem } from './fixtures/system.ts';

afterAll(stopSystem);
