/** However a list is exported, cut, overlapped and repeated, pushing it gives the same books as the list itself. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { readStatement } from '../../../clients/typescript/import/index.ts';
import { Ledger } from '../../../clients/typescript/index.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';

setDefaultTimeout(120_000);

interface BankRow {
  day: number;
  text: string;
  pence: number;
}

// Few values, so that many rows are identical.
const bankRow: fc.Arbitrary<BankRow> = fc.record({
  day: fc.integer({ min: 13, max: 16 }),
  text: fc.constantFrom('Coffee', 'Rent', 'B&Q, "Leeds"'),
  pence: fc.constantFrom(-320, -100, 95_000),
});

const csvOf = (rows: readonly BankRow[]) => ['Date,Description,Amount', ...rows.map(lineOf)].join('\n');
const lineOf = ({ day, text, pence }: BankRow) =>
  `${day}/06/2026,"${text.replaceAll('"', '""')}",${(pence / 100).toFixed(2)}`;

/** A bank exports whole days, in any order of its rows. */
const exported = fc.array(bankRow, { minLength: 1, maxLength: 40 }).chain((rows) =>
  fc.tuple(
    fc.constant(rows),
    fc.array(
      fc.record({
        days: fc.tuple(fc.integer({ min: 13, max: 16 }), fc.integer({ min: 13, max: 16 })),
        order: fc.shuffledSubarray([...rows.keys()], { minLength: rows.length }),
      }),
      { maxLength: 4 },
    ),
  ),
);

test('any overlapping exports, pushed in any order, are stored as the list is', async () => {
  await fc.assert(
    fc.asyncProperty(exported, async ([rows, cuts]) => {
      const account = await TestAccount.create();
      const ledger = new Ledger({ url: system.url, apiKey: account.key });
      const push = async (selected: readonly BankRow[]) => {
        if (selected.length === 0) return;
        const { entries, invalid } = await readStatement(new TextEncoder().encode(csvOf(selected)));
        expect(invalid).toEqual([]);
        await ledger.push(
          account.sources['uk-property'],
          entries.map(({ entry }) => entry),
        );
      };
      for (const { days, order } of cuts) {
        const [from, to] = [Math.min(...days), Math.max(...days)];
        const shuffled = order.map((index) => rows[index] as BankRow);
        await push(shuffled.filter(({ day }) => day >= from && day <= to));
      }
      await push(rows);
      const stored = (await account.entries()).map(({ date, type, amountPence, description }) =>
        [Number(date.slice(8)), description, type === 'income' ? amountPence : -amountPence].join(),
      );
      expect(stored.sort()).toEqual(rows.map(({ day, text, pence }) => [day, text, pence].join()).sort());
    }),
    { numRuns: 40 },
  );
});
