/** All that a file has is read, listed or refused, and what it says of one fact has to agree: one row for each way in which it does not. */
import { describe, expect, test } from 'bun:test';
import { chainOf } from '../../../../clients/typescript/import/chain/chain.ts';
import { readText } from './files.ts';
import { check, csv, dated, HEADER, OFX_SPENT, ofx, outcomeOf, payment, qif, type Row } from './outcome.ts';
import { workbook } from './workbook.ts';

describe('structure', () => {
  test.each<Row>([
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
      'a payment of OFX without its start',
      ofx(`${payment('DEBIT', '-1.00', 'a').slice(0, -11)}${payment('DEBIT', '-2.00', 'b').slice(9)}`),
      [],
      /has this element twice/,
    ],
    [
      'a payment of OFX without its end',
      ofx(`${payment('DEBIT', '-1.00', 'a').slice(0, -11)}\r\n${payment('DEBIT', '-2.00', 'b')}`),
      [OFX_SPENT, '2 2026-04-13 -200 x'],
      '',
    ],
    ['a text behind markup', ofx(payment('DEBIT', '-1.00', 'a', '<MEMO>for <b>May</b> only')), [], /of none/],
    [
      'a line that QIF does not have',
      qif('D13/04/2026', 'T1.00', 'Zx', '^'),
      [],
      /no such line in a payment/,
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
const declared1252 = (...names: string[]) =>
  latin(
    ofx(
      names
        .map((name, index) => payment('DEBIT', '-1.00', `${index}a`).replace('<NAME>x', `<NAME>${name}`))
        .join(''),
    ).replace('OFXHEADER:100', 'OFXHEADER:100\nENCODING:USASCII\nCHARSET:1252'),
  );

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
      'several characters of UTF-8 in a file that declares 1252',
      declared1252('Caf\xc3\xa9', 'Zo\xc3\xab'),
      ['1 2026-04-13 -100 Café', '2 2026-04-13 -100 Zoë'],
      '',
    ],
    [
      'one such character',
      declared1252('Caf\xc3\xa9', 'b'),
      [],
      /declares windows-1252.* choose the encoding/,
    ],
    [
      'characters of 1252 beside one of UTF-8',
      declared1252('Caf\xc3\xa9 \xa35', 'Zo\xeb'),
      ['1 2026-04-13 -100 CafÃ© £5', '2 2026-04-13 -100 Zoë'],
      '',
    ],
    [
      'a quote that ends a row later',
      csv('Date,Amount,Description', `${row},"a`, `${row},b"`),
      [],
      /lines that look like rows/,
    ],
    ['rows of a single cell', csv('"Date,Description,Amount"', '"14/04/2026,A,5.00"'), [], /single cell/],
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
      [],
      /"Booking status" may say what a row is: Booked, P/,
    ],
    [
      'a status that is missing at the end',
      `${csv('Date,Amount,Void', `${row},No`)}2026-04-14,9.00,`,
      ['2 2026-04-13 +100'],
      /seems to be cut: .*no whole status/,
    ],
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
      /Status is REFUNDED/,
    ],
    [
      'a kind that moves no money',
      csv('Date,Amount,Type', '2026-04-13,1.00,Memo', '2026-04-13,-2.00,Card payment'),
      ['3 2026-04-13 -200'],
      /Type is Memo/,
    ],
    ['a total in the column of dates', `${own}Total April,,3.00\n`, entries, /total/],
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

test('numbers of JSON that the API would refuse', async () => {
  const entry = (amount: string) => `[{"date":"2026-04-13","type":"income","amountPence":${amount}}]`;
  for (const amount of ['450.00', '1e2', '9007199254740991.3'])
    expect(await outcomeOf(entry(amount))).toEqual({
      entries: [],
      said: expect.stringContaining('whole number of pence'),
    });
});

describe('direction', () => {
  test.each<Row>([
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

test('the name of an amount says its currency', async () => {
  const expected = { entries: [], said: expect.stringContaining('not in pounds') };
  expect(await outcomeOf(csv('Date,Amount (€)', '2026-04-13,1.00'))).toEqual(expected);
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
