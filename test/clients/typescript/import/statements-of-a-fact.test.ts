/** What a file says of a date, a direction or a currency has to agree: one row for each way in which it does not. */
import { describe, expect, test } from 'bun:test';
import { chainOf } from '../../../../clients/typescript/reconciliation/chain.ts';
import { readText } from './files.ts';
import { check, csv, dated, HEADER, OFX_SPENT, ofx, payment, type Row } from './outcome.ts';
import { workbook } from './workbook.ts';

describe('direction', () => {
  test.each<Row>([
    [
      'a debit of OFX without a minus, beside others with one',
      ofx(payment('DEBIT', '-1.00', 'a') + payment('DEBIT', '2.00', 'b')),
      [OFX_SPENT],
      /contradicts itself: .*"2\.00" says income, and TRNTYPE "DEBIT" says expense|TRNTYPE "DEBIT" says expense, and/,
    ],
    [
      'a word and a sign',
      csv('Date,Amount,Type', '2026-04-13,-1.00,income', '2026-04-13,1.00,income'),
      ['3 2026-04-13 +100'],
      /"income" says income, and Amount "-1\.00" says expense/,
    ],
    [
      'a word and a column',
      csv('Date,Paid in,Paid out,Direction', '2026-04-13,1.00,,out'),
      [],
      /says income, and Direction "out" says expense/,
    ],
    [
      'a heading of expenses',
      csv('Priya - cash expenses 2026/27', 'Date,Description,Amount', '2026-04-13,Paint,9.99'),
      [],
      /without a sign beside "Priya/,
    ],
    [
      'an accounts program',
      csv('Date,Nominal code,Debit,Credit', '2026-04-13,4000,1.00,'),
      [],
      /accounts program/,
    ],
    [
      'a balance that only the opposite fits',
      csv(
        'Date,Debit,Credit,Balance',
        '2026-04-13,1.00,,11.00',
        '2026-04-14,2.00,,13.00',
        '2026-04-15,3.00,,16.00',
      ),
      [],
      /the balance rises by what is paid out/,
    ],
  ])('%s', check);
});

describe('currency', () => {
  test.each<Row>([
    [
      'of one payment of OFX',
      ofx(
        payment('DEBIT', '-1.00', 'a') +
          payment('DEBIT', '-2.00', 'b', '<CURRENCY><CURRATE>1.1<CURSYM>EUR</CURRENCY>'),
      ),
      [OFX_SPENT],
      /not in pounds|contradicts itself about the currency/,
    ],
    [
      'of the amount before it was exchanged',
      ofx(payment('DEBIT', '-1.00', 'a', '<ORIGCURRENCY><CURRATE>1.1<CURSYM>EUR</ORIGCURRENCY>')),
      [OFX_SPENT],
      '',
    ],
    [
      'of a column',
      csv('Date,Amount,Transaction Currency', '2026-04-13,1.00,GBP', '2026-04-13,2.00,EUR'),
      ['2 2026-04-13 +100'],
      /not in pounds/,
    ],
    ['of the name of the amount', csv('Date,Amount (€)', '2026-04-13,1.00'), [], /not in pounds/],
    [
      'of a line before the header',
      csv('Currency: EUR', 'Date,Amount', '2026-04-13,1.00'),
      [],
      /not in pounds/,
    ],
  ])('%s', check);
});

describe('dates', () => {
  test.each<Row>([
    ['with the year first', csv('Date,Amount', '26/04/13,1.00'), [], /not of the last 7 years/],
    [
      'with the year first, by the option',
      csv('Date,Amount', '26/04/13,1.00'),
      ['2 2026-04-13 +100'],
      '',
      { dateFormat: 'ymd' },
    ],
    [
      'that a spreadsheet has exchanged',
      workbook([
        { name: 'A', rows: { 1: HEADER, 2: dated(46_118), 3: ['13/04/2026', 'x', { number: '2' }] } },
      ]),
      [],
      /may have exchanged day and month/,
    ],
    [
      'from 1904',
      workbook([{ name: 'A', rows: { 1: HEADER, 2: dated(46_118 - 1_462) } }], { is1904: true }),
      ['2 2026-04-06 +100 x'],
      '',
    ],
    [
      'that lack a moment',
      workbook([{ name: 'A', rows: { 1: HEADER, 2: dated(46_117.9999999998) } }]),
      ['2 2026-04-06 +100 x'],
      '',
    ],
  ])('%s', check);
});

test('the balance of a card is what is owed', async () => {
  const rows = ['13 Apr 2026,a,10.00,,10.00', '14 Apr 2026,b,20.00,,30.00', '15 Apr 2026,c,,30.00,0.00'];
  const { statements } = await readText(csv('Date,Description,Paid out,Paid in,Balance', ...rows));
  expect(statements.map(chainOf)).toMatchObject([{ state: 'holds' }]);
});
