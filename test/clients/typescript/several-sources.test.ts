/** However files of several sources are cut, overlapped and repeated, each row of each source is stored once. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { readStatement } from '../../../clients/typescript/import/index.ts';
import {
  compareWithBooks,
  Ledger,
  newEntries,
  periodOf,
  readBooks,
  type Transaction,
} from '../../../clients/typescript/index.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';

setDefaultTimeout(120_000);

const SOURCES = ['uk-property', 'foreign-property', 'self-employment'] as const;
type SourceType = (typeof SOURCES)[number];

// Few values, so that most rows are equal, on one day and between the sources.
const rowOf = fc.record({
  day: fc.integer({ min: 13, max: 15 }),
  text: fc.constantFrom('Rent', 'Agent'),
  pence: fc.constantFrom(-9_000, 90_000),
});
type Row = typeof rowOf extends fc.Arbitrary<infer Each> ? Each : never;

/** The rows of each source, and exports of them: of which source, up to which day, and how many requests succeed. */
const history = fc.record({
  rows: fc.record({
    'uk-property': fc.array(rowOf, { maxLength: 8 }),
    'foreign-property': fc.array(rowOf, { maxLength: 8 }),
    'self-employment': fc.array(rowOf, { maxLength: 8 }),
  }),
  pushes: fc.array(
    fc.record({
      source: fc.constantFrom(...SOURCES),
      lastDay: fc.integer({ min: 13, max: 15 }),
      sentMax: fc.integer({ min: 0, max: 8 }),
      isReversed: fc.boolean(),
    }),
    { maxLength: 6 },
  ),
});

const csvOf = (rows: readonly Row[]) =>
  `Date,Description,Amount\n${rows.map(({ day, text, pence }) => `2026-06-${day},${text},${pence / 100}\n`).join('')}`;
const lineOf = ({ date, description, type, amountPence }: Transaction) =>
  `${date.slice(8)} ${description} ${type === 'income' ? amountPence : -amountPence}`;

test('each row of each source is stored once, whatever was pushed before, in any order and in part', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ rows, pushes }) => {
      const account = await TestAccount.create();
      const ledger = new Ledger({ url: system.url, apiKey: account.key });
      const sources = await ledger.sources();
      /** Stops after `sentMax` entries, as a push that is interrupted. @returns how many it has created */
      const push = async (type: SourceType, selected: readonly Row[], sentMax?: number) => {
        if (selected.length === 0) return 0;
        const { entries } = await readStatement(new TextEncoder().encode(csvOf(selected)));
        const id = account.sources[type];
        const books = await readBooks(ledger, sources, periodOf(entries));
        const sending = newEntries(entries, compareWithBooks(entries, books, { id })).slice(0, sentMax);
        const { created } = await ledger.push(
          id,
          sending.map(({ entry }) => entry),
        );
        expect(created).toBe(sending.length);
        return created;
      };
      for (const { source, lastDay, sentMax, isReversed } of pushes) {
        const selected = rows[source].filter(({ day }) => day <= lastDay);
        await push(source, isReversed ? selected.reverse() : selected, sentMax);
      }
      for (const type of SOURCES) await push(type, rows[type]);
      for (const type of SOURCES) {
        expect(await push(type, rows[type])).toBe(0);
        const expected = rows[type].map(({ day, text, pence }) => `${day} ${text} ${pence}`).sort();
        expect((await account.entries(account.sources[type])).map(lineOf).sort()).toEqual(expected);
      }
    }),
    { numRuns: 25 },
  );
});
