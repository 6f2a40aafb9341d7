/** What happens to tables: borders, rows that are no payments, direction, currency, dates and encodings. */
import { pounds, type Row } from './model.ts';
import {
  addColumn,
  allow,
  amountOf,
  both,
  cellsOf,
  forget,
  has,
  hasNo,
  hasRows,
  is,
  isPlainCsv,
  isWhole,
  type Mutation,
  ofAllRows,
  ofColumn,
  ofFile,
  ofNewRow,
  ofRow,
  ofText,
} from './mutation.ts';

const firstDate = (pattern: RegExp) => (file: { rows: Row[] }) =>
  pattern.test(`${file.rows[0]?.fields.date}`);
const hasAccent = ({ fields }: Row) => /[éë]/.test(fields.description ?? '');
const isUntouched = {
  which: ({ fields, payment }: Row) => payment !== undefined && fields.line === undefined,
};
const lastDate = (rows: Row[]) => `${rows.at(-1)?.fields.date}`;

const BORDERS: Mutation[] = [
  {
    name: 'cut within the last row',
    // Of a row with a comma too many, a cut can leave another payment.
    fits: both(is('csv'), ({ rows }) => rows.at(-1)?.fields.line === undefined),
    apply: (file, random) => {
      const count = random.int(2, 13);
      allow(file, file.rows.at(-1) as Row);
      file.changesOfText.push((text) => text.slice(0, -count));
    },
  },
  ofText('no last line end', is('csv'), (text) => text.replace(/\n$/, '')),
  ofText('empty lines', is('csv'), (text) => text.replaceAll('\n', '\n\n')),
  ofText('line ends of Windows', is('csv'), (text) => text.replaceAll('\n', '\r\n')),
  ofRow(
    'a comma without quotes',
    both(is('csv'), ({ delimiter, changesOfText }) => delimiter === ',' && changesOfText.length === 0),
    (_, _random, file, row) => ({
      line: cellsOf(file, row, (field, text) => (field === 'description' ? 'RENT FLAT 2, 45' : text)).join(),
    }),
    isUntouched,
  ),
  {
    name: 'a quote that ends in a later row',
    fits: both(is('csv'), hasRows(4), ({ rows }) => rows.every(isUntouched.which)),
    apply: (file, random) => {
      const start = random.int(0, file.rows.length - 3);
      const rows = file.rows.slice(start, start + random.int(2, 3));
      const mark = (row: Row, marked: (text: string) => string) => {
        const cells = cellsOf(file, row, (field, text) => (field === 'description' ? marked(text) : text));
        row.fields.line = cells.join(file.delimiter);
      };
      mark(rows[0] as Row, (text) => `"${text}`);
      mark(rows.at(-1) as Row, (text) => `${text}"`);
      rows.forEach(forget);
    },
  },
  {
    name: 'the header again',
    fits: is('csv'),
    apply: ({ rows, columns }, random) => {
      const fields = Object.fromEntries(columns.map(({ field, name }) => [field, name]));
      rows.splice(random.int(0, rows.length - 1), 0, { fields, payment: undefined });
    },
  },
  {
    name: 'a header with other columns',
    fits: both(isPlainCsv, hasRows(3)),
    apply: (file) => {
      const line = (cells: string[]) => cells.toReversed().join(file.delimiter);
      const at = Math.floor(file.rows.length / 2);
      for (const row of file.rows.slice(at)) row.fields.line = line(cellsOf(file, row));
      const header = line(file.columns.map(({ name }) => name));
      file.rows.splice(at, 0, { fields: { line: header }, payment: undefined });
    },
  },
  ofRow(
    'a row with another delimiter',
    isPlainCsv,
    (_, _random, file, row) => ({
      line: cellsOf(file, row).join(file.delimiter === ';' ? '|' : ';'),
    }),
    isUntouched,
  ),
  {
    name: 'a payment above the header',
    fits: isPlainCsv,
    apply: (file) => {
      const [row] = file.rows.splice(0, 1) as [Row];
      file.before.push(cellsOf(file, row).join(file.delimiter));
      file.rows.push({ fields: { line: '' }, payment: row.payment });
    },
  },
];

const NO_PAYMENTS: Mutation[] = [
  ...['Total', 'Total April', 'Grand total', 'TOTAL 2026', 'Sub-total for April'].map((date) =>
    ofNewRow(`the row "${date}" in the date column`, has('amount'), (file) => ({
      date,
      amount: pounds(amountOf(file)),
    })),
  ),
  ...[
    ...['CLOSING BALANCE AS AT 30 APRIL', 'Opening balance 1 April 2026', 'Balance brought forward'],
    ...['Balance as of 30/04/2026', 'Opening bal.', 'Bal c/f', 'Balance as per bank'],
  ].map((description) =>
    ofNewRow(`the row "${description}" with a date`, both(isPlainCsv, has('amount')), ({ rows }) => {
      const { line: _, ...fields } = rows.at(-1)?.fields ?? {};
      return { ...fields, description, amount: pounds(190_000) };
    }),
  ),
  ...[
    ...['Sum of the month', 'Total of all', 'Totals for April', 'Page total', '** TOTAL **', 'Net profit'],
  ].map((description) =>
    ofNewRow(`"${description}" with a date`, both(isPlainCsv, has('amount'), hasNo('type')), (file) => ({
      date: lastDate(file.rows),
      description,
      amount: pounds(amountOf(file)),
    })),
  ),
  ...['REFUNDED', 'Pending', 'Reversed', 'Cancelled'].map((status) =>
    ofRow(`the status ${status}`, has('status'), () => ({ status })),
  ),
  ofColumn(['status', 'Booking status'], 'Booked', 'Pending'),
  ofColumn(['status', 'Void'], 'No', 'Yes'),
  ofColumn(['status', 'Outcome'], 'Approved', 'Declined'),
  ofColumn(['status', 'Settled'], 'Yes', 'No'),
  ofRow('the type Memo', has('status', 'type'), () => ({ type: 'Memo' })),
];

const HEADINGS = [
  ...['Cash expenses', 'Priya - cash expenses 2026/27', 'Spending April', 'Costs of the flat'],
  ...['My outgoings', 'Payments', 'Repairs and maintenance'],
];
const minus = ({ amount = '' }: Row['fields']) => ({ amount: `-${amount}` });
const ofType = (type: string) => ({ which: ({ fields }: Row) => fields.type === type });

const DIRECTION: Mutation[] = [
  ofRow('a minus beside a word for expense', is('words for the direction'), minus, ofType('Debit')),
  ofRow('a word that contradicts the minus', is('words for the direction'), minus, ofType('Credit')),
  ofFile(
    'only expenses, without signs, below a heading',
    is('ISO dates and signs|lines before the header'),
    ({ rows, before }, random) => {
      for (const { fields } of rows) fields.amount = `${fields.amount}`.replace('-', '');
      before.push(random.pick(HEADINGS));
    },
  ),
  ofAllRows('marks of money in alone', both(is('ISO dates and signs'), isWhole), ({ amount = '' }) => ({
    amount: amount.startsWith('-') ? amount.slice(1) : `${amount} CR`,
  })),
  ofFile('debit and credit of an accounts program', is('debit and credit'), (file, random) => {
    const extra = { 'Account Code': '200', VAT: '0.00', Source: 'Spend Money' };
    const [name, value] = random.pick(Object.entries(extra));
    file.columns = file.columns.filter(({ field }) => field !== 'balance');
    addColumn(file, 'extra', name, () => value);
  }),
  ofAllRows('debit and credit exchanged, with the balance', is('debit and credit'), (fields) => ({
    in: fields.out ?? '',
    out: fields.in ?? '',
  })),
  ofAllRows(
    'the balance of a card',
    both(is('money in and out'), has('in', 'balance')),
    ({ balance = '' }) => ({ balance: balance.startsWith('-') ? balance.slice(1) : `-${balance}` }),
    'known',
  ),
  ofRow('two signs', has('amount'), ({ amount }) => ({ amount: `--${amount}` })),
];

const CURRENCY: Mutation[] = [
  ...['Transaction Currency', 'Account Currency', 'Curr.', 'Ccy', 'Currency (ISO)', 'Wallet'].map((name) =>
    ofColumn(['currency', name], 'GBP', 'EUR'),
  ),
  ofRow('another currency in the middle', has('currency'), (_, random) => ({
    currency: random.pick(['EUR', 'usd', '€']),
  })),
  ...[
    ...['Currency: EUR', 'Account currency,EUR', 'All amounts in euros', 'Euro current account'],
    'Balance: €1200.00',
  ].map((line) =>
    ofFile(
      `the line "${line}" before the header`,
      both(isPlainCsv, ({ delimiter }) => delimiter === ','),
      ({ before }) => before.push(line),
    ),
  ),
  ofFile('amounts in euros by the name of their column', both(isPlainCsv, has('amount')), ({ columns }) => {
    for (const column of columns) if (column.field === 'amount') column.name = 'Amount (€)';
  }),
  ofColumn(['local', 'Local currency'], 'USD', 'USD', both(isPlainCsv, has('amount'))),
];

const DATES: Mutation[] = [
  ofAllRows('two digits of the year first', both(isPlainCsv, firstDate(/^\d{4}-/)), ({ date = '' }) => ({
    date: date.slice(2).replaceAll('-', '/'),
  })),
  ofFile(
    'the month first in all dates, with dots or in a bank',
    both(
      is('csv'),
      firstDate(/^\d\d[/.]\d\d[/.]\d{4}$/),
      ({ rows }) => rows.every(({ fields }) => fields.line === undefined),
      // Other mutations can take rows away, and one has to show the order.
      ({ rows }) => rows.filter(({ fields }) => Number(fields.date?.slice(0, 2)) > 12).length > 3,
    ),
    ({ rows, layout }) => {
      const mark = ['starling', 'lloyds'].includes(layout) ? '/' : '.';
      for (const { fields } of rows) {
        const [day, month, year] = `${fields.date}`.split(/[/.]/);
        fields.date = [month, day, year].join(mark);
      }
    },
  ),
  {
    name: 'dates that a spreadsheet has exchanged',
    fits: both(isPlainCsv, firstDate(/^\d\d\/\d\d\/\d{4}$/), ({ rows }) =>
      rows.some(({ fields }) => Number(fields.date?.slice(0, 2)) <= 12),
    ),
    apply: (file) => {
      for (const row of file.rows) {
        const [day = '', month = '', year = ''] = `${row.fields.date}`.split('/');
        if (Number(day) > 12 || row.fields.line !== undefined) continue;
        row.fields.date = `${year}-${day}-${month}`;
        if (day !== month) forget(row);
      }
    },
  },
];

const encoded = (name: string, encode: (text: string) => Buffer) =>
  ofFile(name, is('csv'), (file) => Object.assign(file, { encode }), 'known');

const ENCODINGS: Mutation[] = [
  {
    name: 'one broken character',
    fits: both(is('csv'), ({ rows }) => rows.filter(hasAccent).length > 1),
    apply: (file) => {
      const row = file.rows.find(hasAccent) as Row;
      const description = Buffer.from(`${row.fields.description}`);
      const { encode } = file;
      file.encode = (text) => {
        const bytes = Buffer.from(encode(text));
        const start = bytes.indexOf(description);
        const broken = start + description.findIndex((byte) => byte >= 0xc0) + 1;
        return start === -1 ? bytes : Buffer.concat([bytes.subarray(0, broken), bytes.subarray(broken + 1)]);
      };
      allow(file, row);
    },
  },
  encoded('UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
  encoded('Windows-1252', (text) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1')),
];

const ofSheetRow = (name: string, rows: 'hiddenRows' | 'euroRows') =>
  ofRow(name, is('xlsx'), (_, _random, file, row) => {
    file.sheet[rows].add(file.rows.indexOf(row));
    return {};
  });
const ofSheet = (name: string, sheet: object) =>
  ofFile(name, is('xlsx'), (file) => Object.assign(file.sheet, sheet), 'known');

const WORKBOOKS: Mutation[] = [
  ofSheetRow('a hidden row', 'hiddenRows'),
  ofSheetRow('a number format in euros', 'euroRows'),
  ofFile('a hidden sheet', is('xlsx'), ({ sheet }) => Object.assign(sheet, { isHidden: true })),
  ofSheet('days from 1904 on', { is1904: true }),
  ofSheet('a date that was computed', { momentLacking: 2e-10 }),
];

export const TABLE_MUTATIONS = [
  ...[BORDERS, NO_PAYMENTS, DIRECTION, CURRENCY, DATES, ENCODINGS, WORKBOOKS],
].flat();
