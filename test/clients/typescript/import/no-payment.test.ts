/** Rows of tables that move no money, or of which nobody can know that they do. */
import { expect, test } from 'bun:test';
import { lines, openColumns, readText, rowsOf } from './files.ts';
import { csv } from './outcome.ts';

const withRow = (text: string) =>
  `Date,Description,Amount\n14/04/2026,RENT,950.00\n15/04/2026,B&Q,-120.00\n${text}\n`;
const table = (header: string, value: string, usual = '') =>
  `Date,Description,Amount,${header}\n14/04/2026,RENT,950.00,${usual}\n15/04/2026,B&Q,-120.00,${value}\n`;

test.each([
  ...['Opening balance', 'Opening bal.', 'Closing Balance', 'Initial balance', 'Beginning balance'],
  ...['Balance brought forward', 'Balance b/f', 'Bal c/f', 'Bal b/fwd', 'C/F', 'Carried fwd'],
  ...['Balance forward', 'CLOSING BALANCE AS AT 30 APRIL', 'Balance as of 30/04/2026'],
])(
  'a row that is described as "%s" is asked about, and skipped as a balance if it is the sum',
  async (description) => {
    const asked = await readText(withRow(`30/04/2026,${description},1900.00`));
    expect(asked.entries).toHaveLength(2);
    expect(asked.skipped).toEqual([]);
    expect(asked.invalid).toMatchObject([
      { row: 4, option: 'rowMeanings', value: description, message: BALANCE_ASKED },
    ]);
    const { entries, skipped } = await readText(withRow(`30/04/2026,${description},830.00`));
    expect(entries).toHaveLength(2);
    expect(skipped).toEqual([{ row: 4, reason: 'This is a balance, not a transaction.' }]);
  },
);

const BALANCE_ASKED = 'This seems to be a balance, not a transaction.';

test.each([
  ['its own balance', '01/04/2026,Opening balance,500.00,,500.00\n22/04/2026,RENT,950.00,,\n'],
  [
    'that of the row below it',
    '01/04/2026,Opening balance,500.00,,\n02/04/2026,RENT,950.00,,1450.00\n13/04/2026,B&Q,,120.00,1330.00\n',
  ],
])('an opening balance is left out by %s', async (_, rows) => {
  const [, skipped, invalid] = await rowsOf(`Date,Description,Paid in,Paid out,Balance\n${rows}`);
  expect([skipped, invalid]).toEqual([[2], []]);
});

test('an opening balance is asked about if the balance below it is another one', async () => {
  const text =
    'Date,Description,Paid in,Paid out,Balance\n01/04/2026,Opening balance,500.00,,\n02/04/2026,RENT,950.00,,2450.00\n13/04/2026,B&Q,,120.00,2330.00\n';
  expect(await rowsOf(text)).toEqual([[3, 4], [], [2]]);
});

test('a balance above and below the rows is left out by their sum', async () => {
  const rows = (closing: string) =>
    `Date,Description,Amount\n01/04/2026,Opening balance,500.00\n14/04/2026,RENT,950.00\n15/04/2026,B&Q,-120.00\n30/04/2026,Closing balance,${closing}\n`;
  expect(await rowsOf(rows('1330.00'))).toEqual([[3, 4], [2, 5], []]);
  expect(await rowsOf(rows('1330.01'))).toEqual([[3, 4], [], [2, 5]]);
});

test.each([
  ['of the rows since the last total', ',Total,,120.00', [[2, 4], [3, 5], []]],
  ['of all rows', ',Grand total,950.00,120.00', [[2, 4], [3, 5], []]],
  ['of no rows', ',Total,950.00,120.01', [[2, 4], [3], [5]]],
  ['without amounts', ',Total,,', [[2, 4], [3, 5], []]],
])('a total without a date that is the sum %s, by column', async (_, total, outcome) => {
  const text = `Date,Description,Paid in,Paid out\n14/04/2026,RENT,950.00,\n,Total,950.00,\n15/04/2026,B&Q,,120.00\n${total}\n`;
  expect(await rowsOf(text)).toEqual(outcome);
});

test('a total in the column of dates is none', async () => {
  for (const label of ['Total', 'Total April', 'Grand total', 'TOTAL 2026', 'Sub-total for April'])
    expect([label, await rowsOf(withRow(`${label},,830.00`))]).toEqual([label, [[2, 3], [4], []]]);
});

test('a row without a date that is described as a total is kept or left out by a person', async () => {
  const text = withRow(',Total,1900.00');
  expect(await rowsOf(text, { rowMeanings: { 4: 'skip' } })).toEqual([[2, 3], [4], []]);
  expect((await readText(text, { rowMeanings: { 4: 'keep' } })).invalid).toMatchObject([
    { row: 4, field: 'date' },
  ]);
  const dated = withRow('30/04/2026,Opening balance,1900.00');
  expect(await rowsOf(dated, { rowMeanings: { 4: 'keep' } })).toEqual([[2, 3, 4], [], []]);
});

const TOTALS = ['Total b/f', 'Total for 12 Acacia Avenue', '** TOTAL **', 'Page total', 'YTD'];
const SUMS = ['April', 'Net profit', '', 'Sum of the month', 'Total of all', 'Totals for April'];
const BALANCES = ['New balance', 'Balance as per bank', 'Cash in hand b/f'];
test.each([
  ['is described as a total or a balance', [...TOTALS, ...BALANCES], '1900.00'],
  ['is the sum of the rows above', SUMS, '830.00'],
])('a dated row that %s is invalid', async (_, descriptions, amount) => {
  for (const description of descriptions) {
    const { entries, invalid } = await readText(withRow(`30/04/2026,${description},${amount}`));
    expect([description, entries.length, invalid.map(({ row }) => row)]).toEqual([description, 2, [4]]);
  }
});

test.each(['NEW BALANCE LEEDS', 'TOTAL ENERGIES', 'Balance transfer', 'Rent balance', 'April rent'])(
  'a payment that is described as "%s" is read',
  async (description) => {
    expect((await readText(withRow(`30/04/2026,${description},1900.00`))).entries).toHaveLength(3);
  },
);

const STATES = [
  'Overdue',
  'Due',
  'Outstanding',
  'Draft',
  'Void',
  'Not paid',
  'Pending',
  'DECLINED',
  'REFUNDED',
];
test.each([
  ['Payment state', 'SETTLED', ['PENDING']],
  ['Booking status', 'Booked', ['Cancelled']],
  ['Status', 'Paid', STATES],
  ['Void', '', ['Yes']],
  ['Settled', 'Yes', ['No']],
  ['Paid?', 'Yes', ['No']],
  ['Type', 'Card payment', ['Account Hold for Open Authorization', 'Memo']],
])('a row did not happen if its column %s, otherwise "%s", has %p', async (header, usual, values) => {
  for (const value of values) {
    const { entries, skipped } = await readText(table(header, value, usual));
    expect(entries).toHaveLength(1);
    expect(skipped).toEqual([{ row: 3, reason: `${header} is ${value}.` }]);
  }
});

test.each(['Memo', 'Category'])('a row whose %s is Opening balance is asked about', async (header) => {
  const { entries, invalid } = await readText(table(header, 'Opening balance'));
  expect(entries).toHaveLength(1);
  expect(invalid).toMatchObject([{ row: 3, column: header, option: 'rowMeanings' }]);
});

test.each([
  ['Outcome', 'Declined'],
  ['Status', 'Frozen'],
])('a column %s with %s is asked about, unless it is left out', async (header, value) => {
  expect(await openColumns(readText(table(header, value)))).toEqual([3]);
  expect((await readText(table(header, value), { ignore: [header] })).entries).toHaveLength(2);
});

test('a row whose Category is Total is invalid, unless the column is left out', async () => {
  const { entries, invalid } = await readText(table('Category', 'Total'));
  expect(entries).toHaveLength(1);
  expect(invalid).toMatchObject([{ row: 3, column: 'Category', value: 'Total' }]);
  expect((await readText(table('Category', 'Total'), { ignore: ['Category'] })).entries).toHaveLength(2);
});

test('a balance in a description that a person names is asked about', async () => {
  const rows = [
    '2026-04-01,Float brought forward,570.00',
    '2026-04-02,Skipton,-5.00',
    '2026-04-03,Fuel,-6.00',
  ];
  const { invalid } = await readText(csv('Date,Client,Amount', ...rows), { map: { description: 'Client' } });
  expect(invalid.map(({ row, option }) => [row, option])).toEqual([[2, 'rowMeanings']]);
});

test('an export of the ledger is read whole, whatever its texts say', async () => {
  const rows = ['Opening balance', 'Total', 'Total for April'].map((text) => `2026-04-01,income,100,${text}`);
  const { entries } = await readText(`date,type,amountPence,description\n${rows.join('\n')}\n`);
  expect(entries).toHaveLength(3);
});

test('a balance without an amount, and a header in other case, are skipped', async () => {
  const result = await readText(
    'Date,Description,Paid in,Paid out,Balance\n01/04/2026,Opening balance,,,5.00\n14/04/2026,RENT,10.00,,15.00\nDATE,DESCRIPTION,PAID IN,PAID OUT,BALANCE\n',
  );
  expect(lines(result)).toEqual(['3 2026-04-14 +1000 RENT']);
  expect(result.skipped.map(({ row }) => row)).toEqual([2, 4]);
  expect(result.invalid).toEqual([]);
});
