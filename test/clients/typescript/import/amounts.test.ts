/** Amounts of statements: every spelling of the same pence, and what is refused. */
import { describe, expect, test } from 'bun:test';
import { decimalText } from '../../../../clients/typescript/import/files/xlsx.ts';
import { readAmount } from '../../../../clients/typescript/import/values/amounts.ts';
import { lines, readText } from './files.ts';

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
  '12.',
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

test('a text that the other decimal mark may settle says so', () => {
  expect(readAmount('12,50', '.')).toMatchObject({ isDecimalMark: true });
  expect(readAmount('1.234', '.')).toMatchObject({ isDecimalMark: true });
});

describe('numbers of Excel', () => {
  test('are the 15 digits that Excel shows of the 17 that it stores', () => {
    expect(decimalText('1.1000000000000001')).toBe('1.1');
    expect(decimalText('0.30000000000000004')).toBe('0.3');
    expect(decimalText('-37.499999999999993')).toBe('-37.5');
    expect(decimalText('1E+3')).toBe('1000');
    expect(decimalText('33.333333333333336')).toBe('33.3333333333333');
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
    await expect(readText(`${text}2026-04-05,Transfer,9\n`)).rejects.toMatchObject({ unresolved: [1] });
  });
});
