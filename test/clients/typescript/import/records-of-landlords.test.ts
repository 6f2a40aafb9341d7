/** Files as landlords keep them: what was not paid, and balances and totals, are no income. */
import { expect, test } from 'bun:test';
import type { ImportError } from '../../../../clients/typescript/import/index.ts';
import { readOpen, readText } from './files.ts';

const HEADER = 'Date,Description,Amount';

test('a column that is called income or expense has words for them in every row, or asks', async () => {
  const text =
    'Date,Description,Amount,Income or Expense?\n2026-04-01,Rent,900.00,income\n2026-04-02,Boiler,75.00,E\n';
  const { questions } = (await readOpen(text).catch((error) => error)) as ImportError;
  expect(questions).toMatchObject([{ kind: 'values', values: ['income', 'E'] }]);
  const { entries } = await readText(text, { values: { 'Income or Expense?': { E: 'out' } } });
  expect(entries.map(({ entry }) => entry.type)).toEqual(['income', 'expense']);
});

test.each(['Overdue', 'Due', 'Outstanding', 'Draft', 'Void', 'Not paid', 'Pending', 'DECLINED'])(
  'a row whose status is %s did not happen',
  async (status) => {
    const { entries, skipped } = await readText(
      `Date,Tenant,Amount,Status\n2026-04-01,a,900.00,Paid\n2026-04-02,b,750.00,${status}\n`,
    );
    expect(entries.map(({ row }) => row)).toEqual([2]);
    expect(skipped).toEqual([{ row: 3, reason: `Status is ${status}.` }]);
  },
);

test('a row that says No under Paid did not happen', async () => {
  const { entries, skipped } = await readText(
    'Date,Tenant,Amount,Paid?\n2026-04-01,a,900.00,Yes\n2026-04-02,b,750.00,No\n',
  );
  expect(entries.map(({ row }) => row)).toEqual([2]);
  expect(skipped).toEqual([{ row: 3, reason: 'Paid? is No.' }]);
});

test.each(['Opening balance', 'Closing Balance', 'Balance brought forward', 'Balance b/f', 'C/F'])(
  'the dated row "%s" is no income',
  async (text) => {
    const { entries, invalid } = await readText(
      `${HEADER}\n2026-04-01,${text},1200.00\n2026-04-02,Rent,900.00\n`,
    );
    expect(entries.map(({ row }) => row)).toEqual([3]);
    expect(invalid).toMatchObject([{ row: 2, option: 'rows' }]);
  },
);

test('a dated total is a problem, since a shop may be called Total', async () => {
  const { entries, invalid } = await readText(
    `${HEADER}\n2026-04-02,Rent,900.00\n2026-04-30,Total for April,900.00\n2026-04-30,TOTAL GARAGE,-40.00\n`,
  );
  expect(entries.map(({ row }) => row)).toEqual([2, 4]);
  expect(invalid).toMatchObject([{ row: 3, field: 'description', value: 'Total for April' }]);
});

test('an export of the ledger is read whole, whatever its texts say', async () => {
  const rows = ['Opening balance', 'Total', 'Total for April'].map((text) => `2026-04-01,income,100,${text}`);
  const { entries } = await readText(`date,type,amountPence,description\n${rows.join('\n')}\n`);
  expect(entries).toHaveLength(3);
});

test("a bank's own categories are no directions, though all rows have the same", async () => {
  const text =
    'Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In\ntx_1,01/10/2026,10:00:00,Faster payment,Smith,,Income,900.00,GBP,900.00,GBP,flat 1,,,RENT,,,900.00\n';
  expect((await readText(text)).entries).toHaveLength(1);
});

test('a running total is a balance, and a month is told to be no date without another order of dates', async () => {
  const { invalid, recognised } = await readText(
    'Date,Income,Expenses,Running total\nApr-26,900.00,,900.00\n31/31/2026,,5.00,895.00\n',
  );
  expect(recognised.columns).toMatchObject({ moneyIn: 1, moneyOut: 2, balance: 3 });
  expect(invalid.map(({ value, option }) => [value, option])).toEqual([
    ['Apr-26', undefined],
    ['31/31/2026', 'dateFormat'],
  ]);
});
