/**
 * Histories of a landlord, a bank and this command, each in an account of its own: after every act the books are compared with the truth.
 * `HISTORY_SEEDS=1..2000 bun test --path-ignore-patterns none FILE` runs other seeds than the fixed ones; `main.ts` prints a table of many.
 */
import { expect, test } from 'bun:test';
import { runHistory } from './history.ts';
import { seedsOf } from './seeds.ts';

// Among them is at least one history for each way in which a payment was ever stored twice, lost or proved wrongly.
const FIXED = [...seedsOf('1..56'), 87, 97, 106, 196];
const range = process.env.HISTORY_SEEDS;
const seeds = range === undefined ? FIXED : seedsOf(range);

test.each(seeds)(
  'history %i: no payment is stored twice or lost untold, and what is proved is true',
  async (seed) => {
    const { violations, words } = await runHistory(seed);
    // The whole history, because the files of a failure are gone when it is read.
    if (violations.length > 0) console.log([`--- seed ${seed}`, ...words].join('\n'));
    expect(violations).toEqual([]);
  },
);
