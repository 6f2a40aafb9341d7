/** Amounts of statements: every spelling of the same pence, and what is refused. */
import { describe, expect, test } from 'bun:test';
import { hasMinus, hasPlus, readAmount } from '../../../../clients/typescript/import/values/amounts.ts';
import { lines, openColumns, readText } from './files.ts';

test.each([
  ['£ 1 234.56', 123456],
  ["1'234.56", 123456],
  ['1234.56 GBP', 123456],
  ['GBP 1234.56', 123456],
  ['+12.5', 1250],
  ['.5', 50],
  ['12', 1200],
  ['£-12.50', -1250],
  ['- 12.50', -1250],
  ['(12.50)', -1250],
  ['12.50-', -1250],
  ['\u221212.50', -1250],
  ['(£12.50)', -1250],
  ['1,234,567.89', 123_456_789],
  ['\u00a012.50 ', 1250],
  ['12.50 DR', -1250],
  ['12.50CR', 1250],
  ['45.00 Cr.', 4500],
  ['45.00 Dr.', -4500],
  ['DR 45.00', -4500],
  ['dr. £45.00', -4500],
  ['CR45.00', 4500],
  ['12.', 1200],
  ['36.0000', 3600],
  ['-60.000000000000', -6000],
  ['1,234.5000', 123450],
  ['1’234.56', 123456],
  ['\u200e-12.50\u200b', -1250],
  ['1\u2060234.56', 123456],
  ['-0.00', 0],
  ['90071992547409.91', Number.MAX_SAFE_INTEGER],
])('%p is %p pence', (text, pence) => {
  expect(readAmount(text, '.')).toEqual({ pence });
});

test.each([
  ['1.234,56', 123456],
  ['€1,00', undefined],
  ['-12,5', -1250],
  ['1 234,56', 123456],
  ['36,0000', 3600],
  ['12,', 1200],
  ['36,000', undefined],
  ['12.50', undefined],
])('%p with a decimal comma is %p pence', (text, pence) => {
  const read = readAmount(text, ',');
  expect('pence' in read ? read.pence : undefined).toBe(pence as number | undefined);
});

test.each([
  '',
  'abc',
  '1,23',
  '12,50',
  '1,2345.00',
  '1,234.567',
  '12.500',
  '1.2.3',
  '.',
  '12,',
  '12.0001',
  '-60.000',
  '1’23.45',
  'DR 45.00 DR',
  'DR -45.00',
  'DR.45',
  'Dr Smith 45',
  // A soft hyphen may be a minus.
  '\u00ad12.50',
  '1e3',
  '$5',
  '--5',
  '-(5)',
  '(5',
  '5)',
  '-5-',
  '(5-)',
  '1,234 567',
  '90071992547409.92',
  '5 USD',
  '٣',
])('%p is refused', (text) => {
  expect(readAmount(text, '.')).toMatchObject({ problem: expect.stringMatching(/\.$/) });
});

test('a text that the other decimal mark may settle says so, and other decimals do not', () => {
  expect(readAmount('60.1234', '.')).toEqual({ problem: 'The amount has more than two decimals; round it.' });
  expect(readAmount('12,50', '.')).toMatchObject({ isDecimalMark: true });
  expect(readAmount('1.234', '.')).toMatchObject({ isDecimalMark: true });
});

test.each(['DR 5', 'dr. £5', '5 Dr.', '5DR', '-5', '(5)'])('%p has a negative notation', (text) => {
  expect([hasMinus(text), hasPlus(text)]).toEqual([true, false]);
});

test.each(['CR 5', 'cr. £5', '5 Cr.', '5CR', '+5'])('%p has a positive notation', (text) => {
  expect([hasMinus(text), hasPlus(text)]).toEqual([false, true]);
});

test.each(['5', 'Dr Smith', 'Credit 5', '5 Cro'])('%p has neither', (text) => {
  expect([hasMinus(text), hasPlus(text)]).toEqual([false, false]);
});

describe('cells', () => {
  const read = async (row: string) =>
    lines(await readText(`Date,Description,Amount\n${row}\n14/04/2026,a,-1\n15/04/2026,b,-2\n`));
  test.each([
    ['="13/04/2026",Rent,="-12.50"', '2 2026-04-13 -1250 Rent'],
    ['"=""13/04/2026""",Rent,"=""-1,012.50"""', '2 2026-04-13 -101250 Rent'],
    ["'13/04/2026,Rent,'-12.50", '2 2026-04-13 -1250 Rent'],
    ['\u200e13/\u200e04/\u200e2026,Rent,\u200b-12.50', '2 2026-04-13 -1250 Rent'],
    ['13 \u200bApr 2026,Rent,-12.50', '2 2026-04-13 -1250 Rent'],
    // References are derived from descriptions, so that these never change.
    ['13/04/2026,="0042",-12.50', '2 2026-04-13 -1250 ="0042"'],
    ['13/04/2026,Rent\u200b,-12.50', '2 2026-04-13 -1250 Rent\u200b'],
  ])('%p is read', async (row, expected) => {
    expect((await read(row))[0]).toBe(expected);
  });

  test.each([
    '=13/04/2026,Rent,-12.50',
    '13/04/2026,Rent,=-12.50',
    '13/04/2026,Rent,"=""12.50"',
    '13/04/2026,Rent,=SUM(A1)',
  ])('%p is invalid', async (row) => {
    expect(await read(row)).toHaveLength(2);
  });
});

describe('income and expense', () => {
  test('follow the columns of a pair, whose zeros and dashes are nothing', async () => {
    const result = await readText(
      'Date,Details,Paid in,Paid out\n2026-04-01,a,5.00,0.00\n2026-04-02,b,-,6.00\n2026-04-03,c,0.00,\n2026-04-04,d,,\n2026-04-05,e,1,2\n2026-04-06,f,-3,\n',
    );
    expect(lines(result)).toEqual(['2 2026-04-01 +500 a', '3 2026-04-02 -600 b']);
    expect(result.skipped.map(({ row }) => row)).toEqual([4, 5]);
    expect(result.invalid.map(({ row, column }) => `${row} ${column}`)).toEqual(['6 Paid out', '7 Paid in']);
  });

  test('follow the column when the bank writes money out with a minus; a reversal among them is invalid', async () => {
    const result = await readText('Date,Money in,Money out\n2026-04-01,,-5\n2026-04-02,,-6\n2026-04-03,,7\n');
    expect(lines(result)).toEqual(['2 2026-04-01 -500', '3 2026-04-02 -600']);
    expect(result.invalid).toMatchObject([{ row: 4, column: 'Money out' }]);
  });

  test('follow a type column with words for them', async () => {
    const text =
      'Date,Type,Amount\n2026-04-01,Income,5\n2026-04-02,expense,6\n2026-04-03,Expenses,-7\n2026-04-04,income,-8\n';
    const result = await readText(text);
    expect(lines(result)).toEqual(['2 2026-04-01 +500', '3 2026-04-02 -600']);
    const [refund] = result.invalid;
    expect(refund?.message).toBe(
      'The row contradicts itself: Type "Expenses" says expense, and Amount "-7" says income.',
    );
    expect(result.invalid.map(({ row, column }) => `${row} ${column}`)).toEqual(['4 Type', '5 Type']);
    expect(await openColumns(readText(`${text}2026-04-05,Transfer,9\n`))).toEqual([1]);
  });
});
