/** Rows of tables that move no money, or of which nobody can know that they do. */
import { expect, test } from 'bun:test';
import { lines, readText } from './files.ts';

const rowsOf = (text: string) =>
  `Date,Description,Amount\n14/04/2026,RENT,950.00\n15/04/2026,B&Q,-120.00\n${text}\n`;
const table = (header: string, value: string, usual = '') =>
  `Date,Description,Amount,${header}\n14/04/2026,RENT,950.00,${usual}\n15/04/2026,B&Q,-120.00,${value}\n`;

test.each([
  'Opening bal.',
  'Bal c/f',
  'Bal b/fwd',
  'Carried fwd',
  'Balance forward',
  'Initial balance',
  'Beginning balance',
])('a row that is described as "%s" is skipped as a balance', async (description) => {
  const { entries, skipped } = await readText(rowsOf(`30/04/2026,${description},1900.00`));
  expect(entries).toHaveLength(2);
  expect(skipped).toEqual([{ row: 4, reason: 'This is a balance, not a transaction.' }]);
});

test.each([
  ['Total b/f', '1900.00'],
  ['Total for 12 Acacia Avenue', '1900.00'],
  ['** TOTAL **', '1900.00'],
  ['Page total', '1900.00'],
  ['YTD', '1900.00'],
  ['New balance', '1900.00'],
  ['Balance as per bank', '1900.00'],
  ['Cash in hand b/f', '1900.00'],
  // The sum of the rows above.
  ['April', '830.00'],
  ['Net profit', '830.00'],
  ['', '830.00'],
])('a row that is described as "%s" with %s is invalid', async (description, amount) => {
  const { entries, invalid } = await readText(rowsOf(`30/04/2026,${description},${amount}`));
  expect(entries).toHaveLength(2);
  expect(invalid.map(({ row }) => row)).toEqual([4]);
});

test.each(['NEW BALANCE LEEDS', 'TOTAL ENERGIES', 'Balance transfer', 'Rent balance', 'April rent'])(
  'a payment that is described as "%s" is read',
  async (description) => {
    expect((await readText(rowsOf(`30/04/2026,${description},1900.00`))).entries).toHaveLength(3);
  },
);

test.each([
  ['Payment state', 'PENDING', 'SETTLED'],
  ['Booking status', 'Cancelled', 'Booked'],
  ['Void', 'Yes', ''],
  ['Settled', 'No', 'Yes'],
  ['Type', 'Account Hold for Open Authorization', 'Card payment'],
  ['Memo', 'Opening Balance', ''],
  ['Category', 'Opening balance', ''],
])('a row whose %s is %s is skipped', async (header, value, usual) => {
  const { entries, skipped } = await readText(table(header, value, usual));
  expect(entries).toHaveLength(1);
  expect(skipped.map(({ row }) => row)).toEqual([3]);
});

test.each([
  ['Outcome', 'Declined'],
  ['Status', 'Frozen'],
])('a column %s with %s is asked about, unless it is left out', async (header, value) => {
  await expect(readText(table(header, value))).rejects.toMatchObject({ unresolved: [3] });
  expect((await readText(table(header, value), { ignore: [header] })).entries).toHaveLength(2);
});

test('a row whose Category is Total is invalid, unless the column is left out', async () => {
  const { entries, invalid } = await readText(table('Category', 'Total'));
  expect(entries).toHaveLength(1);
  expect(invalid).toMatchObject([{ row: 3, column: 'Category', value: 'Total' }]);
  expect((await readText(table('Category', 'Total'), { ignore: ['Category'] })).entries).toHaveLength(2);
});

test('a balance without an amount, and a header in other case, are skipped', async () => {
  const result = await readText(
    'Date,Description,Paid in,Paid out,Balance\n01/04/2026,Opening balance,,,5.00\n14/04/2026,RENT,10.00,,15.00\nDATE,DESCRIPTION,PAID IN,PAID OUT,BALANCE\n',
  );
  expect(lines(result)).toEqual(['3 2026-04-14 +1000 RENT']);
  expect(result.skipped.map(({ row }) => row)).toEqual([2, 4]);
  expect(result.invalid).toEqual([]);
});
