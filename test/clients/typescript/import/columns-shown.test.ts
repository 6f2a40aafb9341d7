/** What the command shows of the columns of a file: how each was read, and the options that settle the others. */
import { expect, test } from 'bun:test';
import { previewLines } from '../../../../clients/cli/push/preview.ts';
import { unresolvedLines } from '../../../../clients/cli/unresolved-columns.ts';
import type { ImportError } from '../../../../clients/typescript/import/index.ts';
import { readText } from './files.ts';

const advice = (text: string) =>
  readText(text).then(
    () => [],
    (error) => unresolvedLines(error as ImportError).slice(1),
  );

test('a file that is refused comes with the options that settle it, by what its columns are called', async () => {
  expect(
    await advice(
      'Date,Tenant,Rent Due,Rent Paid,Expenses\n2026-04-01,a,895.00,895.00,\n2026-04-02,b,,,5.00\n',
    ),
  ).toEqual(['If these columns hold what their names say: --map moneyIn="Rent Paid" --ignore "Rent Due"']);
  expect(
    await advice('When,House,Rent £,Cost £,Receipt\n2026-04-01,a,895.00,,1017\n2026-04-02,b,,40.00,\n'),
  ).toEqual([
    'If these columns hold what their names say: --map moneyIn="Rent £",moneyOut="Cost £" --ignore "Receipt"',
  ]);
  expect(await advice('Date,Amount,"a $(b)"\n2026-04-01,5.00,6.00\n')).toEqual([
    'If these columns hold what their names say: --ignore 3',
  ]);
});

test('of two columns that may be the rent, none is proposed', async () => {
  expect(await advice('Date,Rent A,Rent B\n2026-04-01,895.00,900.00\n')).toEqual([]);
});

test('rent that may be due is not proposed beside what was paid, nor a pair that rows have both of', async () => {
  expect(await advice('Date,Rent,Paid\n2026-04-01,895.00,0.00\n2026-04-02,895.00,895.00\n')).toEqual([]);
  expect(await advice('Date,Rent,Fee\n2026-04-01,900.00,90.00\n')).toEqual([]);
});

test('the whole preview says which column was read as what, which were left out, and which dates are unlikely', async () => {
  const text = 'Date,Payee,Reference,Amount,Balance,Share\n2062-04-06,a,b,5.00,9.00,2.50\n';
  const statement = await readText(text, { ignore: ['Share'] });
  const preview = previewLines({ name: 'rents.csv', statement }, 'Elm Road', [], true);
  expect(preview.slice(0, 4)).toEqual([
    'rents.csv: 1 row of csv, from 2062-04-06 to 2062-04-06, for Elm Road',
    'Columns  date "Date", amount "Amount", description "Payee", balance "Balance"',
    'Also     "Reference"',
    'Left out "Share"',
  ]);
  expect(preview).toContain('  row 2: The date 2062-04-06 is more than a year ahead.');
});
