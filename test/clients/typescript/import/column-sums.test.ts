/** Evidence in place of names: sums of the row, running balances, free text, and rows of payments below a header. */
import { expect, test } from 'bun:test';
import { type Answer, answered, asked, withoutDates } from './answered.ts';
import { readOpen } from './files.ts';
import { csv } from './outcome.ts';

const NET = csv('Date,Gross,Fee,Net', '13/04/2026,950.00,95.00,855.00', '14/04/2026,700.00,70.00,630.00');
const UNNAMED = csv('Booked,Sum,Text', '13/04/2026,-5.00,a', '14/04/2026,-6.00,b', '15/04/2026,7.00,c');
const PLANS = csv('Budget 2026', 'Date,Details,Amount', '13/04/2026,a,5.00');
const BALANCES = ['13/04/2026,a,-5.00,95.00', '14/04/2026,b,6.00,101.00', '15/04/2026,c,-7.00,94.00'];
/** Each amount is there twice. */
const AGAIN = BALANCES.map((row) => row.replace(/,([^,]*),([^,]*)$/, ',$1,$1,$2'));
const OWN = csv('Date,Details,Sum,Balance', ...BALANCES);
const TAX = csv('Date,Gross,Fee,Tax,Net', '13/04/2026,100.00,10.00,10.00,100.00');
const records = ['T900.00\nLRent', 'T60.00\nLRepairs', 'T-5.00\nLRepairs'];
const QIF = `!Type:Bank\n${records.map((record, index) => `D${13 + index}/04/2026\n${record}\n^\n`).join('')}`;
const KINDS = { Rent: 'in', Repairs: 'out' } as const;
const AS_SUM: Answer[] = ['unsigned', 'ignore', 'ignore', 'moneyIn'];

/** What is asked, the answers, and the amounts that are read then. */
test.each<[string, string, string, Answer[], string]>([
  ['a sum of the row', NET, 'amount Net', ['check'], '2 +95000, 2 -9500, 3 +70000, 3 -7000'],
  ['a sum that is the amount, of unknown direction', NET, 'amount Net', AS_SUM, '2 +85500, 3 +63000'],
  ['no certain name', UNNAMED, 'date Booked, amount Sum', ['date', 'amount'], '2 -500 a, 3 -600 b, 4 +700 c'],
  ['a balance over an unnamed amount', OWN, '', [], '2 -500 a, 3 +600 b, 4 -700 c'],
  ['a file of plans', PLANS, 'heading  1', ['skip'], '3 skipped'],
  ['categories of QIF', QIF, 'values L, direction T', [KINDS], '2 +90000, 6 -6000, 10 +500'],
])('%s', async (_, text, questions, answers, expected) => {
  expect((await asked(text)).join(', ')).toBe(questions);
  expect(withoutDates(await answered(text, answers)).join(', ')).toBe(expected);
});

test('free text needs no name to be the description', async () => {
  const rows = [...'abcde'].map((text) => `13/04/2026,${text},-${text.charCodeAt(0)}.00`);
  const read = await answered(csv('Date,Label,Amount', ...rows), []);
  expect(read.map((row) => row.split(' ').at(-1))).toEqual([...'abcde']);
});

test.each([
  ['that is not one in each row', `${NET}15/04/2026,9.00,2.00,8.00\n`, 'Gross, Fee, Net'],
  ['in two ways', TAX, 'Gross, Fee, Tax, Net'],
  ['beside two columns of the same amounts', csv('Date,Details,Sum,Again,Balance', ...AGAIN), 'Sum, Again'],
])('a sum or a balance %s settles nothing', async (_, text, columns) => {
  expect(await asked(text)).toEqual(columns.split(', ').map((name) => `amount ${name}`));
});

test('a comma before the pence that split the amounts is said', async () => {
  const text = csv(
    'Date,Description,Amount,,Balance,',
    '13/04/2026,Wickes,-60,50,940,00',
    '14/04/2026,Rent,900,00,1840,00',
  );
  await expect(readOpen(text)).rejects.toThrow('The pence of "Amount" are in the next column');
});
