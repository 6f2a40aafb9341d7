/** However a list is exported, cut, overlapped and repeated, pushing it gives the same books as the list itself. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { readStatement } from '../../../clients/typescript/import/index.ts';
import {
  compareWithBooks,
  Ledger,
  newEntries,
  periodOf,
  readBooks,
} from '../../../clients/typescript/index.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';

setDefaultTimeout(60_000);

const SOURCES = ['uk-property', 'self-employment'] as const;
type SourceType = (typeof SOURCES)[number];

// Few values, so that many rows are equal, on one day and between the sources.
const day = fc.integer({ min: 13, max: 16 });
const bankRow = fc.record({
  day,
  text: fc.constantFrom('Rent', 'B&Q, "Leeds"'),
  pence: fc.constantFrom(-9_000, 90_000),
});
type Row = typeof bankRow extends fc.Arbitrary<infer Each> ? Each : never;

const csvOf = (rows: readonly Row[]) => ['Date,Description,Amount', ...rows.map(csvLineOf)].join('\n');
const csvLineOf = ({ day, text, pence }: Row) =>
  `${day}/06/2026,"${text.replaceAll('"', '""')}",${(pence / 100).toFixed(2)}`;
const lineOf = ({ day, text, pence }: Row) => `${day} ${text} ${pence}`;

async function newPusher() {
  const account = await TestAccount.create();
  const ledger = new Ledger({ url: system.url, apiKey: account.key });
  const sources = await ledger.sources();
  return {
    /** What is new, up to `sentMax` entries, as a push that is interrupted. @returns how many it has created */
    async pushNew(type: SourceType, rows: readonly Row[], sentMax?: number) {
      if (rows.length === 0) return 0;
      const { entries } = await readStatement(new TextEncoder().encode(csvOf(rows)));
      const id = account.sources[type];
      const books = await readBooks(ledger, sources, periodOf(entries));
      const sending = newEntries(entries, compareWithBooks(entries, books, { id })).slice(0, sentMax);
      const result = await ledger.push(
        id,
        Array.from(sending, ({ entry }) => entry),
      );
      expect(result.created).toBe(sending.length);
      return result.created;
    },
    async expectStored(type: SourceType, rows: readonly Row[]) {
      const stored = (await account.entries(account.sources[type])).map(
        ({ date, type, amountPence, description }) =>
          `${date.slice(8)} ${description} ${type === 'income' ? amountPence : -amountPence}`,
      );
      expect(stored.sort()).toEqual(rows.map(lineOf).sort());
    },
  };
}

const rowsOfSource = fc.array(bankRow, { maxLength: 8 });
/** The rows of each source, and exports of them: of which source, up to which day, and how many requests succeed. */
const history = fc.record({
  rows: fc.record({ 'uk-property': rowsOfSource, 'self-employment': rowsOfSource }),
  pushes: fc.array(
    fc.record({
      source: fc.constantFrom(...SOURCES),
      lastDay: day,
      sentMax: fc.integer({ min: 0, max: 8 }),
      isReversed: fc.boolean(),
    }),
    { maxLength: 6 },
  ),
});

test('each row of each source is stored once, whatever was pushed before, in any order and in part', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ rows, pushes }) => {
      const { pushNew, expectStored } = await newPusher();
      for (const { source, lastDay, sentMax, isReversed } of pushes) {
        const selected = rows[source].filter(({ day }) => day <= lastDay);
        await pushNew(source, isReversed ? selected.reverse() : selected, sentMax);
      }
      for (const type of SOURCES) await pushNew(type, rows[type]);
      for (const type of SOURCES) {
        expect(await pushNew(type, rows[type])).toBe(0);
        await expectStored(type, rows[type]);
      }
    }),
    { numRuns: 10 },
  );
});
