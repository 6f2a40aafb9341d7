/** The functions of `bun:test` for the tests of this folder. Without Citus each test is skipped by its name, and nothing is started. */
import * as bun from 'bun:test';
import { hasCitus } from '../fixtures/citus-program.ts';

const isHere = hasCitus();

export const test = bun.test.skipIf(!isHere);
export const beforeAll: typeof bun.beforeAll = isHere ? bun.beforeAll : () => {};
export const afterAll: typeof bun.afterAll = isHere ? bun.afterAll : () => {};
