/** All that a file has is read, listed or refused, and what it says of one fact has to agree: one row for each way in which it does not. */
import { describe, expect, test } from 'bun:test';
import { chainOf } from '../../../../clients/typescript/import/chain/chain.ts';
import { readText } from './files.ts';
import { check, csv, dated, HEADER, OFX_SPENT, ofx, outcomeOf, payment, qif, type Row } from './outcome.ts';
import { workbook } from './workbook.ts';

const [A, B] = [payment('DEBIT', '-1.00', 'a'), payment('DEBIT', '-2.00', 'b')];
const record = (index: number) => `D1${2 + index}/04/2026\nT${index}.00`;

describe('structure of OFX', () => {
  const surcharge = payment('DEBIT', '-2.00', 'b', '<SURCHARGE>1.00');
  const declined = payment('DEBIT', '-2.00', 'b', '<BANK.STATE>DECLINED');
  const markup = payment('DEBIT', '-1.00', 'a', '<MEMO>for <b>May</b> only');
  const income = '<INCOME><DTTRADE>20260413<TOTAL>12.00</INCOME>';
  const invested = `<INVSTMTRS><INVTRANLIST>${income}</INVTRANLIST></INVSTMTRS></OFX>`;
  const [openA, closedB] = [A.slice(0, -11), B.slice(9)];
  const spent = [OFX_SPENT];
  test.each<Row>([
    ['an element of the bank', ofx(A + declined), spent, /no such element in a transaction/],
    ['an unknown element', ofx(A + surcharge), spent, /no such element in a transaction \(line 5\)/],
    [
      'an investment',
      ofx(A).replace('</OFX>', invested),
      spent,
      /INCOME of an investment account, of 12\.00/,
    ],
    ['a payment without its start', ofx(`${openA}${closedB}`), [], /has this element twice/],
    ['a payment without its end', ofx(`${openA}\r\n${B}`), [...spent, '2 2026-04-13 -200 x'], ''],
    ['a text behind markup', ofx(markup), [], /of none/],
  ])('%s', check);
});

describe('structure of other formats', () => {
  const noEnd = qif(record(1), record(2), '^', record(3), '^');
  const above = ['2026-04-13,x,1.00', 'Date,Description,Amount', '2026-04-14,x,2.00'];
  const missing = /a line \^ between two payments is missing \(line 4\)/;
  test.each<Row>([
    ['a payment of QIF without its end', noEnd, ['7 2026-04-15 +300'], missing],
    [
      'a section of QIF',
      qif(record(1), '^', '!Type:Loan', record(2), '^'),
      [],
      /!Type:Loan on line 5 is not known/,
    ],
    ['a line that QIF does not have', qif(record(1), 'Zx', '^'), [], /no such line in a payment/],
    [
      'a payment above the header',
      csv(...above),
      [],
      /Row 1 has a date and an amount, and is above the header/,
    ],
  ])('%s', check);
});

const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
/** OFX that says that it is in Windows-1252. */
const declared1252 = (...names: string[]) => {
  const all = names.map((name, index) =>
    payment('DEBIT', '-1.00', `${index}a`).replace('<NAME>x', `<NAME>${name}`),
  );
  return latin(ofx(all.join('')).replace('OFXHEADER:100', 'OFXHEADER:100\nENCODING:USASCII\nCHARSET:1252'));
};

describe('bytes', () => {
  const described = (...texts: string[]) =>
    latin(csv('Date,Amount,Description', ...texts.map((text) => `2026-04-13,1.00,${text}`)));
  const broken = /Line 3 of the file has a character whose bytes are broken/;
  const several = ['1 2026-04-13 -100 Café', '2 2026-04-13 -100 Zoë'];
  test.each<Row>([
    [
      'one broken character',
      described('Caf\xc3\xa9', 'Caf\xc3'),
      ['2 2026-04-13 +100 Café', '3 2026-04-13 +100 Caf\ufffd'],
      broken,
    ],
    ['more broken characters', described('Caf\xc3\xa9', 'Caf\xe9', 'Caf\xe9'), [], /choose the encoding/],
    ['several of UTF-8 in a file that declares 1252', declared1252('Caf\xc3\xa9', 'Zo\xc3\xab'), several, ''],
    ['one of them', declared1252('Caf\xc3\xa9', 'b'), [], /declares windows-1252.* choose the encoding/],
    [
      'one of them beside some of 1252',
      declared1252('Caf\xc3\xa9 \xa35', 'Zo\xeb'),
      ['1 2026-04-13 -100 CafÃ© £5', '2 2026-04-13 -100 Zoë'],
      '',
    ],
  ])('%s', check);
});

describe('borders and ends', () => {
  const row = '2026-04-13,1.00';
  const columns = (name: string, text: string) => csv(`Date,Amount,${name}`, `${row},${text}`);
  const quoted = csv('Date,Amount,Description', `${row},"a`, `${row},b"`);
  const single = csv('"Date,Description,Amount"', '"14/04/2026,A,5.00"');
  const read = ['2 2026-04-13 +100'];
  const described = ['2 2026-04-13 +100 x'];
  const open = /"Booking status" may say what a row is: Booked, P/;
  const noStatus = /seems to be cut: .*no whole status/;
  test.each<Row>([
    ['a quote that ends a row later', quoted, [], /lines that look like rows/],
    ['rows of a single cell', single, [], /single cell/],
    ['a cut amount', `${csv('Date,Amount', row)}2026-04-14,9`, read, /seems to be cut: .*fewer decimals/],
    ['a cut row', `${columns('Description', 'x')}2026-04-14,9`, described, /seems to be cut: .*fewer cells/],
    ['a cut status', `${columns('Booking status', 'Booked')}2026-04-14,9.00,P`, [], open],
    ['no status at the end', `${columns('Void', 'No')}2026-04-14,9.00,`, read, noStatus],
  ])('%s', check);
});

describe('what is no payment', () => {
  const hidden = { name: 'A', rows: { 1: HEADER, 2: dated(46_118), 3: dated(46_119) }, hiddenRows: [3] };
  const note = { name: 'Shown', rows: { 1: ['A note'] } };
  const sheets = workbook([{ name: 'A', rows: { 1: HEADER, 2: dated(46_118) }, isHidden: true }, note]);
  const report = 'Period,From,To,HMRC field,Amount,Your share';
  const figures = csv(report, 'Q1,2026-04-06,2026-07-05,Rents,1.00,1.00');
  test.each<Row>([
    ['a hidden row', workbook([hidden]), ['2 2026-04-06 +100 x'], /hidden in the sheet/],
    ['a hidden sheet', sheets, [], /no table of dates and amounts/],
    ['a report of figures', figures, [], /report of `ledger figures`/],
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
  const column = csv('Date,Paid in,Paid out,Direction', '2026-04-13,1.00,,out');
  const program = (name: string, value: string) =>
    csv(`Date,${name},Debit,Credit`, `2026-04-13,${value},1.00,`);
  const rows = ['2026-04-13,1.00,,11.00', '2026-04-14,2.00,,13.00', '2026-04-15,3.00,,16.00'];
  const rising = csv('Date,Debit,Credit,Balance', ...rows);
  test.each<Row>([
    ['a word and a column', column, [], /says income, and Direction "out" says expense/],
    ['codes of an accounts program', program('Nominal code', '4000'), [], /accounts program/],
    ['accounts of an accounts program', program('Account Code', '200'), [], /accounts program/],
    ['taxes of an accounts program', program('VAT', '0.00'), [], /accounts program/],
    ['kinds of an accounts program', program('Source', 'Spend Money'), [], /accounts program/],
    ['a balance that only the opposite fits', rising, [], /the balance rises by what is paid out/],
  ])('%s', check);
});

describe('dates', () => {
  const yearFirst = csv('Date,Amount', '26/04/13,1.00');
  const cells = ['13/04/2026', 'x', { number: '2' }];
  const exchanged = workbook([{ name: 'A', rows: { 1: HEADER, 2: dated(46_118), 3: cells } }]);
  const mixed = csv('Date,Amount', '13/04/2026,1.00', '2026-05-04,2.00');
  const named = csv('Date,Amount', '13/04/2026,1.00', '05-Apr-2026,2.00');
  const days = csv('Date,Amount', '13/04/2026,1.00', '46116,2.00');
  const typed = csv('Date,Amount', '13/04/2026,1.00', '05-Apr-2026,2.00', '20-Apr-2026,2.00');
  const lacking = workbook([{ name: 'A', rows: { 1: HEADER, 2: dated(46_117.9999999998) } }]);
  test.each<Row>([
    ['with the year first', yearFirst, [], /not of the last 7 years/],
    ['with the year first, by the option', yearFirst, ['2 2026-04-13 +100'], '', { dateFormat: 'ymd' }],
    ['that a spreadsheet has exchanged', exchanged, [], /may have exchanged day and month/],
    ['that are written in two ways', mixed, [], /may have exchanged day and month/],
    ['of which one has the name of the month', named, [], /may have exchanged day and month/],
    ['of which one is a number of days', days, [], /may have exchanged day and month/],
    [
      'that a person has typed',
      typed,
      ['2 2026-04-13 +100', '3 2026-04-05 +200', '4 2026-04-20 +200'],
      '',
      { map: { moneyIn: 'Amount' } },
    ],
    ['as numbers from 1900 or 1904', csv('Date,Amount', '44656,1.00'), [], /counted from 1900 or from 1904/],
    ['as numbers of month, day, year', csv('Date,Amount', '41326,1.00'), [], /or another date/],
    [
      'at the end of a day',
      csv('Date,Amount', '2026-04-05T24:00,1.00'),
      [],
      /not a date/,
      { map: { moneyIn: 'Amount' } },
    ],
    ['that lack a moment', lacking, ['2 2026-04-06 +100 x'], ''],
  ])('%s', check);
});

test('the balance of a card is what is owed', async () => {
  const rows = ['13 Apr 2026,a,10.00,,15.00', '14 Apr 2026,b,20.00,,35.00', '15 Apr 2026,c,,30.00,5.00'];
  const { statements } = await readText(csv('Date,Description,Paid out,Paid in,Balance', ...rows));
  expect(statements.map(chainOf)).toMatchObject([{ state: 'holds' }]);
});
