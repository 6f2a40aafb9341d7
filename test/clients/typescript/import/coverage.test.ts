/** All that a file has is read, listed or refused: one row for each thing that is easily dropped, or read although it is no payment. */
import { describe, expect, test } from 'bun:test';
import { check, csv, dated, HEADER, OFX_SPENT, ofx, outcomeOf, payment, qif, type Row } from './outcome.ts';
import { workbook } from './workbook.ts';

describe('structure', () => {
  test.each<Row>([
    [
      'a row of OFX that corrects another',
      ofx(
        payment('DEBIT', '-1.00', 'a') +
          payment('DEBIT', '-2.00', 'b', '<CORRECTFITID>a<CORRECTACTION>REPLACE'),
      ),
      [],
      /compare, and correct it there.*\nRow 2 corrects it/,
    ],
    [
      'an element that OFX does not have',
      ofx(payment('DEBIT', '-1.00', 'a') + payment('DEBIT', '-2.00', 'b', '<SURCHARGE>1.00')),
      [OFX_SPENT],
      /no such element in a transaction \(line 5\)/,
    ],
    [
      'an income of an investment account',
      ofx(payment('DEBIT', '-1.00', 'a')).replace(
        '</OFX>',
        '<INVSTMTRS><INVTRANLIST><INCOME><DTTRADE>20260413<TOTAL>12.00</INCOME></INVTRANLIST></INVSTMTRS></OFX>',
      ),
      [OFX_SPENT],
      /INCOME of an investment account, of 12\.00, is no payment/,
    ],
    [
      'a payment of QIF without its end',
      qif('D13/04/2026', 'T1.00', 'D14/04/2026', 'T2.00', '^', 'D15/04/2026', 'T3.00', '^'),
      ['7 2026-04-15 +300'],
      /a line \^ between two payments is missing \(line 4\)/,
    ],
    [
      'a section of QIF',
      qif('D13/04/2026', 'T1.00', '^', '!Type:Loan', 'D14/04/2026', 'T2.00', '^'),
      [],
      /!Type:Loan on line 5 is not known/,
    ],
    [
      'a second header',
      csv('Date,Description,Amount', '2026-04-13,x,1.00', 'Date,Description,Paid out', '2026-04-14,x,2.00'),
      [],
      /Row 3 is a header with other columns/,
    ],
    [
      'a payment above the header',
      csv('2026-04-13,x,1.00', 'Date,Description,Amount', '2026-04-14,x,2.00'),
      [],
      /Row 1 has a date and an amount, and is above the header/,
    ],
  ])('%s', check);
});

const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('bytes, borders and ends', () => {
  const row = '2026-04-13,1.00';
  test.each<Row>([
    [
      'one broken character',
      latin(csv('Date,Amount,Description', `${row},Caf\xc3\xa9`, `${row},Caf\xc3`)),
      ['2 2026-04-13 +100 Café', '3 2026-04-13 +100 Caf\ufffd'],
      /Line 3 of the file has a character whose bytes are broken/,
    ],
    [
      'more broken characters than whole ones',
      latin(csv('Date,Amount,Description', `${row},Caf\xc3\xa9`, `${row},Caf\xe9`, `${row},Caf\xe9`)),
      [],
      /choose the encoding/,
    ],
    [
      'a quote that ends a row later',
      csv('Date,Amount,Description', `${row},"a`, `${row},b"`),
      [],
      /lines that look like rows/,
    ],
    [
      'an amount that is cut',
      `${csv('Date,Amount', row)}2026-04-14,9`,
      ['2 2026-04-13 +100'],
      /seems to be cut: .*fewer decimals/,
    ],
    [
      'a row that is cut',
      `${csv('Date,Amount,Description', `${row},x`)}2026-04-14,9`,
      ['2 2026-04-13 +100 x'],
      /seems to be cut: .*fewer cells/,
    ],
    [
      'a status that is cut',
      `${csv('Date,Amount,Booking status', `${row},Booked`)}2026-04-14,9.00,P`,
      ['2 2026-04-13 +100'],
      /seems to be cut: .*no whole status/,
    ],
    [
      'a status that is missing at the end',
      `${csv('Date,Amount,Void', `${row},No`)}2026-04-14,9.00,`,
      ['2 2026-04-13 +100'],
      /seems to be cut: .*no whole status/,
    ],
    ['a table without its last line end', csv('Date,Amount', row).trimEnd(), ['2 2026-04-13 +100'], ''],
    ['OFX without its end', ofx(payment('DEBIT', '-1.00', 'a')).slice(0, -10), [], /not whole/],
    ['QIF that is cut', qif('D13/04/2026', 'T1.00', '^', 'D14/04/2026', 'T2').trimEnd(), [], /not whole/],
  ])('%s', check);
});

describe('what is no payment', () => {
  const own = csv('Date,Description,Amount', '2026-04-13,a,1.00', '2026-04-14,b,2.00');
  const entries = ['2 2026-04-13 +100 a', '3 2026-04-14 +200 b'];
  test.each<Row>([
    [
      'a payment that was paid back',
      csv('Date,Amount,Status', '2026-04-13,1.00,REFUNDED'),
      [],
      /The status is REFUNDED/,
    ],
    [
      'a kind that moves no money',
      csv('Date,Amount,Type', '2026-04-13,1.00,Memo', '2026-04-13,-2.00,Payment'),
      ['3 2026-04-13 -200'],
      /Type is Memo/,
    ],
    [
      'a status that is not known',
      csv('Date,Amount,Status', '2026-04-13,1.00,Frozen'),
      [],
      /does not say whether the payment was made/,
    ],
    ['a balance in more words', `${own}2026-04-30,CLOSING BALANCE AS AT 30 APRIL,3.00\n`, entries, /balance/],
    ['a total in the column of dates', `${own}Total April,,3.00\n`, entries, /total/],
    [
      'a sum that another word names',
      `${own}2026-04-30,Overall,3.00\n`,
      entries,
      /the sum of the rows above it/,
    ],
    [
      'a hidden row',
      workbook([{ name: 'A', rows: { 1: HEADER, 2: dated(46_118), 3: dated(46_119) }, hiddenRows: [3] }]),
      ['2 2026-04-06 +100 x'],
      /hidden in the sheet/,
    ],
    [
      'a report of figures',
      csv('Period,From,To,HMRC field,Amount,Your share', 'Q1,2026-04-06,2026-07-05,Rents,1.00,1.00'),
      [],
      /report of `ledger figures`/,
    ],
  ])('%s', check);
});

describe('other files', () => {
  test.each<Row>([
    ['MT940', ':20:1\n:25:1/2\n:60F:C260401GBP1,00\n:61:2604130413D1,00N\n', [], /MT940 \(SWIFT\); download/],
    [
      'a web page',
      '<html><table><tr><td>1</td></tr></table></html>',
      [],
      /a web page, even if its name ends in \.xls/,
      { fileName: 'a.xls' },
    ],
  ])('%s', check);
});

test('a member that is there twice, and numbers that the API would refuse', async () => {
  const entry = (amount: string) => `[{"date":"2026-04-13","type":"income","amountPence":${amount}}]`;
  for (const amount of ['450.00', '1e2', '9007199254740991.3'])
    expect(await outcomeOf(entry(amount))).toEqual({
      entries: [],
      said: expect.stringContaining('whole number of pence'),
    });
  expect((await outcomeOf(entry('1,"amountPence":2'))).said).toContain('has "amountPence" twice');
});
