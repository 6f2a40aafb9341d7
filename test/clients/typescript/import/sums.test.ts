/** Evidence in place of names: sums of the row, running balances, free text, and rows of payments below a header. */
import { expect, test } from 'bun:test';
import { type Answer, answered, asked, withoutDates } from './answered.ts';
import { readOpen } from './files.ts';
import { csv } from './outcome.ts';

const ROWS = ['13/04/2026,950.00,95.00,855.00', '14/04/2026,700.00,70.00,630.00'];

test.each<[string, string[], string[], Answer[], string[]]>([
  [
    'a sum of the row',
    ['Date,Gross,Fee,Net', ...ROWS],
    ['amount Net'],
    ['check'],
    ['2 +95000', '2 -9500', '3 +70000', '3 -7000'],
  ],
  [
    'a sum that is the amount, whose direction is then asked',
    ['Date,Gross,Fee,Net', ...ROWS],
    ['amount Net'],
    ['unsigned', 'ignore', 'ignore', 'moneyIn'],
    ['2 +85500', '3 +63000'],
  ],
  [
    'no sum in one row',
    ['Date,Gross,Fee,Net', ...ROWS, '15/04/2026,9.00,2.00,8.00'],
    ['amount Gross', 'amount Fee', 'amount Net'],
    [],
    [],
  ],
  [
    'two ways to add up',
    ['Date,Gross,Fee,Tax,Net', '13/04/2026,100.00,10.00,10.00,100.00'],
    ['amount Gross', 'amount Fee', 'amount Tax', 'amount Net'],
    [],
    [],
  ],
  [
    'a header without a certain name',
    ['Booked,Sum,Text', '13/04/2026,-5.00,a', '14/04/2026,-6.00,b', '15/04/2026,7.00,c'],
    ['date Booked', 'amount Sum'],
    ['date', 'amount'],
    ['2 -500 a', '3 -600 b', '4 +700 c'],
  ],
  [
    'a balance over an unnamed amount',
    [
      'Date,Details,Sum,Balance',
      '13/04/2026,a,-5.00,95.00',
      '14/04/2026,b,6.00,101.00',
      '15/04/2026,c,-7.00,94.00',
    ],
    [],
    [],
    ['2 -500 a', '3 +600 b', '4 -700 c'],
  ],
  [
    'free text without a named description',
    ['Date,Label,Amount', ...[...'abcde'].map((text) => `13/04/2026,${text},-${text.charCodeAt(0)}.00`)],
    [],
    [],
    ['2 -9700 a', '3 -9800 b', '4 -9900 c', '5 -10000 d', '6 -10100 e'],
  ],
  [
    'a balance over two columns of the same amounts',
    [
      'Date,Details,Sum,Again,Balance',
      '13/04/2026,a,-5.00,-5.00,95.00',
      '14/04/2026,b,6.00,6.00,101.00',
      '15/04/2026,c,-7.00,-7.00,94.00',
    ],
    ['amount Sum', 'amount Again'],
    [],
    [],
  ],
  [
    'a file of plans',
    ['Budget 2026', 'Date,Details,Amount', '13/04/2026,a,5.00'],
    ['heading  1'],
    ['skip'],
    ['3 skipped'],
  ],
  [
    'categories of QIF',
    [
      '!Type:Bank',
      'D13/04/2026',
      'T900.00',
      'LRent',
      '^',
      'D14/04/2026',
      'T60.00',
      'LRepairs',
      '^',
      'D15/04/2026',
      'T-5.00',
      'LRepairs',
      '^',
    ],
    ['values L', 'direction T'],
    [{ Rent: 'in', Repairs: 'out' }],
    ['2 +90000', '6 -6000', '10 +500'],
  ],
])('%s', async (_, rows, questions, answers, expected) => {
  const text = csv(...rows);
  expect(await asked(text)).toEqual(questions);
  if (questions.length > 0 && answers.length === 0) return;
  expect(withoutDates(await answered(text, answers))).toEqual(expected);
});

test('types of OFX say the direction of amounts without a minus, by an answer', async () => {
  const row = (type: string, amount: string) =>
    `<STMTTRN><TRNTYPE>${type}<DTPOSTED>20260413<TRNAMT>${amount}<NAME>a</STMTTRN>`;
  const text = `<OFX><STMTRS><CURDEF>GBP<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${row('DEBIT', '5.00')}${row('CREDIT', '6.00')}</BANKTRANLIST></STMTRS></OFX>\n`;
  expect(await asked(text)).toEqual(['direction TRNAMT']);
  expect(withoutDates(await answered(text, ['unsigned']))).toEqual(['1 -500 a', '2 +600 a']);
});

test('a comma before the pence that split the amounts is said', async () => {
  const text = csv(
    'Date,Description,Amount,,Balance,',
    '13/04/2026,Wickes,-60,50,940,00',
    '14/04/2026,Rent,900,00,1840,00',
  );
  await expect(readOpen(text)).rejects.toThrow('The pence of "Amount" are in the next column');
});
