/**
 * Files and sheets that are easily read wrongly, and the entries that are right. One table for all that read rows: the library, which
 * decides for the command, the page and the assistant, and the programs that read by themselves.
 */
import type { Cell, Run } from './sheets.ts';

export const DOORS = ['library', 'Python', 'bash', 'Google', 'Excel'] as const;
export type Door = (typeof DOORS)[number];

export interface Case {
  name: string;
  /** A file of CSV: for the library, Python and bash. */
  csv?: string | Uint8Array;
  /** Rows, the first of which is the header: for the library and the sheets. A Date is a cell with a date. */
  rows?: Cell[][];
  sheet?: Partial<Pick<Run, 'hiddenRows' | 'isFiltered' | 'format' | 'is1904'>>;
  /** `date ±pence` of each row that may be stored. */
  right: string[];
  /** What the doors say that refuse the file or a row. The others, all of them without it, store what is right. */
  refused?: RegExp | Partial<Record<Door, RegExp>>;
}

const HEADER = ['Date', 'Amount', 'Description', 'Reference', 'Type'];
const DAY = '2026-04-06';
const GOOD = [DAY, '12.50', 'Rent', 'good', 'income'];
const RIGHT = '2026-04-06 +1250';
/** A cell with the date, at midnight in London. */
const cellOf = (day: string) => new Date(`${day}T00:00+01:00`);
const quoted = (cell: Cell) =>
  /[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell;
const csvOf = (rows: Cell[][]) => rows.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');

/** The same rows as a file and as a sheet. */
function both(name: string, rows: Cell[][], right: string[], refused?: Case['refused']): Case[] {
  const rest = { right, ...(refused && { refused }) };
  return [
    { name, csv: csvOf(rows), ...rest },
    { name: `${name}, in a sheet`, rows, ...rest },
  ];
}

/** A row beside a good one. */
const row = (name: string, [day = DAY, amount = '1', text = 'x']: string[], refused: Case['refused']) =>
  both(name, [HEADER, GOOD, [day, amount, text, 'bad', 'income']], [RIGHT], refused);

/** A column beside the usual ones, with its value in the second of two rows. */
const column = (name: string, value: string, library: RegExp, right: string[] = []) =>
  both(
    `a column ${name} with ${value}`,
    [
      [...HEADER, name],
      [...GOOD, ''],
      [DAY, '45.00', 'x', 'bad', 'income', value],
    ],
    [RIGHT, ...right],
    { library, Python: NOT_KNOWN, bash: NOT_KNOWN, Google: NOT_KNOWN, Excel: NOT_KNOWN },
  );
const NOT_KNOWN = /not known: remove it/;
/** The library asks about the file, or about the empty word. */
const DIRECTION =
  /leaves something open|must name .*type|[Tt]ype .*must be income or expense|column Type|neither income nor expense/;
const CELLS = /cells|leaves something open/;
const TWICE = /nothing explains|one name|[Tt]wo columns|Several columns/;
const IN_QUOTES =
  /leaves something open|lines that look like rows|quote .*doubled|a quote is not closed|expected after/;

export const CASES: Case[] = [
  ...both(
    'usual rows, and a column of notes',
    [
      [...HEADER, 'Notes'],
      [...GOOD, 'by hand'],
      [DAY, '3.20', 'Coffee, two', 'a', 'expense', ''],
      ['2026-04-07', '£1,234.56', 'Total Fitness', 'b', 'Income', ''],
      ['2026-04-08', '1,000', '5 pipes', 'c', 'Expense', ''],
    ],
    [RIGHT, '2026-04-06 -320', '2026-04-07 +123456', '2026-04-08 -100000'],
  ),
  { name: 'a last row without a line end', csv: csvOf([HEADER, GOOD]).trimEnd(), right: [RIGHT] },
  {
    name: 'two equal rows with references of their own',
    csv: csvOf([
      ['Date', 'Amount', 'Type', 'externalRef'],
      [DAY, '12.50', 'income', 'a'],
      [DAY, '12.50', 'income', 'b'],
    ]),
    right: [RIGHT, RIGHT],
    refused: { Python: NOT_KNOWN, bash: NOT_KNOWN },
  },
  ...both(
    'two equal rows without references',
    [HEADER, [DAY, '12.50', 'Rent', '', 'income'], [DAY, '12.50', 'Rent', '', 'income']],
    [RIGHT, RIGHT],
    { bash: /there is no reference/ },
  ),
  {
    name: 'two rows with one reference',
    rows: [HEADER, GOOD, GOOD],
    right: [RIGHT, RIGHT],
    refused: { Google: /the same reference/, Excel: /the same reference/ },
  },

  {
    name: 'a comma without quotes in a text before the amount',
    csv: `Date,Description,Amount,Reference,Type\n${DAY},RENT FLAT 2, 45,950.00,r1,income\n`,
    right: [],
    refused: CELLS,
  },
  {
    name: 'a comma without quotes in an amount, and a cell that is left out',
    csv: `Date,Reference,Type,Amount,Description\n${DAY},r1,income,45,950.00\n`,
    right: [],
    refused: /comma seems to cut|leaves something open/,
  },
  {
    name: 'fewer cells in the last row',
    csv: `${csvOf([HEADER, GOOD])}${DAY},95`,
    right: [RIGHT],
    refused: CELLS,
  },
  {
    name: 'an amount that is cut at the end of the file',
    csv: `Date,Description,Reference,Type,Amount\n${DAY},a,r1,income,12.50\n${DAY},b,r2,income,95`,
    right: [RIGHT],
    refused: /seems to be cut/,
  },
  {
    name: 'a quote that ends a row later',
    csv: `Date,Amount,Description,Reference,Type\n${DAY},12.50,"RENT,r1,income\n${DAY},13.50,RENT",r2,income\n`,
    right: [],
    refused: IN_QUOTES,
  },
  {
    name: 'a quote that never ends',
    csv: `${csvOf([HEADER, GOOD])}${DAY},13.50,"RENT,r2,income\n${DAY},14.50,x,r3,income\n`,
    right: [],
    refused: { library: /never ends/, Python: /unexpected end/, bash: /is not closed/ },
  },
  {
    name: 'a quote inside a quoted text',
    csv: `${csvOf([HEADER, GOOD])}${DAY},13.50,"FLAT "A", 2",r2,income\n`,
    right: [RIGHT],
    refused: IN_QUOTES,
  },
  {
    name: 'a broken character beside whole ones',
    csv: Buffer.concat([
      Buffer.from(csvOf([HEADER, GOOD, [DAY, '3', 'Café', 'b', 'income']])),
      Buffer.from(`${DAY},4,Caf\xc3,c,income\n`, 'latin1'),
    ]),
    right: [RIGHT, '2026-04-06 +300', '2026-04-06 +400'],
    refused: { Python: /line 4 has a broken character/, bash: /line 4: .*broken character/ },
  },

  ...column('Currency', 'EUR', /not in pounds/),
  ...column('Transaction Currency', 'EUR', /not in pounds/),
  ...column('Status', 'REFUNDED', /The status is REFUNDED|"Status" may say/),
  // The row without a word is refused, or the empty word is a question.
  ...column('Direction', 'OUT', /neither income nor expense|"Direction" may say/, ['2026-04-06 -4500']),
  ...column('Fee', '3.00', /leaves something open/),
  ...both(
    'a column that is there twice',
    [
      ['Date', 'Amount', 'Reference', 'Type', 'Amount'],
      [DAY, '12.50', 'a', 'income', '13.50'],
    ],
    [],
    TWICE,
  ),
  ...both(
    'our own report of figures',
    [
      ['Period', 'From', 'To', 'HMRC field', 'Amount', 'Your share'],
      ['Q1', DAY, '2026-07-05', 'Rents', '12.50', '12.50'],
    ],
    [],
    /report of `ledger figures`|not known: remove it|must name/,
  ),
  {
    name: 'our own list of entries',
    csv: csvOf([
      ['date', 'type', 'category', 'amount', 'description', 'externalRef', 'id'],
      [DAY, 'income', '', '12.50', 'Rent', '', '01a'],
    ]),
    // The library names the stored entry by its id, so that the books know it.
    right: [RIGHT],
    refused: { Python: NOT_KNOWN, bash: NOT_KNOWN },
  },

  ...both(
    'a word and a sign that contradict each other',
    [
      ['Date', 'Amount', 'Type', 'Reference'],
      [DAY, '12.50', 'income', 'good'],
      [DAY, '-45.00', 'income', 'bad'],
    ],
    [RIGHT],
    /contradicts itself|without a sign/,
  ),
  ...both(
    'a row that does not say its direction',
    [HEADER, GOOD, [DAY, '60.00', 'x', 'bad', '']],
    [RIGHT],
    DIRECTION,
  ),
  ...both(
    'rows of which none says its direction',
    [
      HEADER.slice(0, -1),
      [DAY, '60.00', 'Wickes', 'a'],
      [DAY, '12.00', 'Cafe', 'b'],
      [DAY, '-20.00', 'Wickes', 'c'],
    ],
    [],
    DIRECTION,
  ),
  ...row(
    'a date that is two days',
    ['03/04/2026'],
    /could have the day or the month first|not a date|does not match/,
  ),
  ...row('a day that no calendar has', ['2026-02-30'], /not a date|calendar|out of range/),
  ...row('a year of the first century', ['0026-04-06'], /before 2000/),
  ...row('a year far ahead', ['2062-04-06'], /more than a week ahead/),
  ...['12.500', '1,23', '1e2', '1.234,56', '--1', '12.50 EUR', '$5'].flatMap((amount) =>
    row(`the amount ${amount}`, [DAY, amount], /amount|decimals|thousands|not in pounds/i),
  ),
  ...row('the total of a month', ['2026-04-30', '900.00', 'Total April'], /total/),
  ...row('a closing balance', ['2026-04-30', '1900.00', 'CLOSING BALANCE AS AT 30 APRIL'], /balance/),
  ...row('a total without a date', ['', '900.00', 'Total'], /total|not a date|does not match/),

  ...[true, false].map((isFiltered) => ({
    name: `a row that is hidden ${isFiltered ? 'by a filter' : 'by hand'}`,
    rows: [HEADER, GOOD, [DAY, '45.00', 'hidden', 'bad', 'income']],
    sheet: { hiddenRows: [3], isFiltered },
    right: [RIGHT],
  })),
  {
    name: 'an amount with the format of another currency',
    rows: [HEADER, [DAY, 45, 'x', 'bad', 'income']],
    sheet: { format: '[$€-407]#,##0.00' },
    right: [],
    refused: { library: /not in pounds/, Google: /another currency/, Excel: /no pounds/ },
  },
  {
    name: 'an amount with the format of pounds',
    rows: [HEADER, [DAY, 12.5, 'x', 'a', 'income']],
    sheet: { format: '_-[$£-809]* #,##0.00_-;[RED]-[$£-809]* #,##0.00_-' },
    right: [RIGHT],
  },
  {
    name: 'cells with dates beside a date as a text',
    rows: [
      HEADER,
      [cellOf('2026-06-04'), 12.5, 'x', 'a', 'income'],
      ['13/04/2026', 13.5, 'x', 'b', 'income'],
    ],
    right: [],
    refused: /exchanged/,
  },
  {
    name: 'cells with dates',
    rows: [
      HEADER,
      [cellOf('2026-06-04'), 12.5, 'x', 'a', 'income'],
      [new Date('2026-06-30T23:00:00Z'), 13.5, 'x', 'b', 'income'],
    ],
    right: ['2026-06-04 +1250', '2026-07-01 +1350'],
  },
  {
    name: 'a midnight that lacks a moment',
    rows: [HEADER, [new Date(cellOf(DAY).getTime() - 1), 12.5, 'x', 'a', 'income']],
    right: [RIGHT],
  },
  {
    name: 'a workbook that counts days from 1904',
    rows: [HEADER, [cellOf(DAY), 12.5, 'x', 'a', 'income']],
    sheet: { is1904: true },
    right: [RIGHT],
    refused: { Excel: /2022-04-05 is shown as/ },
  },
];
