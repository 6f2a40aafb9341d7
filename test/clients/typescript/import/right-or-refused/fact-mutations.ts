/** What tables say of direction, currency and dates, and how they are encoded. */
import type { Row } from './model.ts';
import {
  addColumn,
  allow,
  anyRow,
  both,
  forget,
  forgetAll,
  has,
  isCsv,
  isFormat,
  isPlainCsv,
  isTable,
  type Mutation,
} from './mutation.ts';

export const FACT_MUTATIONS: Mutation[] = [
  // Direction.
  {
    name: 'a minus beside a word for expense',
    fits: both(isTable, has('type', 'amount'), (file) => file.layout === 'words for the direction'),
    apply: (file) => {
      const row = file.rows.find(({ fields }) => fields.type === 'Debit') as Row;
      row.fields.amount = `-${row.fields.amount}`;
      forget(row);
    },
  },
  {
    name: 'a word that contradicts the minus',
    fits: (file) => file.layout === 'words for the direction',
    apply: (file) => {
      const row = file.rows.find(({ fields }) => fields.type === 'Credit') as Row;
      row.fields.amount = `-${row.fields.amount}`;
      forget(row);
    },
  },
  {
    name: 'only expenses, without signs, below a heading',
    fits: both(isPlainCsv, (file) =>
      ['ISO dates and signs', 'lines before the header'].includes(file.layout),
    ),
    apply: (file, random) => {
      for (const row of file.rows) {
        row.fields.amount = `${row.fields.amount}`.replace('-', '');
        forget(row);
      }
      file.before.push(
        random.pick([
          'Cash expenses',
          'Priya - cash expenses 2026/27',
          'Spending April',
          'Costs of the flat',
          'My outgoings',
          'Payments',
          'Repairs and maintenance',
        ]),
      );
    },
  },
  {
    name: 'marks of money in alone',
    fits: both(isPlainCsv, (file) => file.layout === 'ISO dates and signs'),
    apply: (file) => {
      for (const row of file.rows) {
        const amount = `${row.fields.amount}`;
        row.fields.amount = amount.startsWith('-') ? amount.slice(1) : `${amount} CR`;
        forget(row);
      }
    },
  },
  {
    name: 'debit and credit of an accounts program',
    fits: both(isCsv, (file) => file.layout === 'debit and credit'),
    apply: (file, random) => {
      const [field, name, value] = random.pick([
        ['extra', 'Account Code', '200'],
        ['extra', 'VAT', '0.00'],
        ['extra', 'Source', 'Spend Money'],
      ] as const);
      file.columns = file.columns.filter((column) => column.field !== 'balance');
      addColumn(file, field, name, () => value);
      forgetAll(file);
    },
  },
  {
    name: 'debit and credit exchanged, with the balance',
    fits: both(isCsv, (file) => file.layout === 'debit and credit'),
    apply: (file) => {
      for (const { fields } of file.rows) [fields.in, fields.out] = [fields.out ?? '', fields.in ?? ''];
      forgetAll(file);
    },
  },
  {
    name: 'the balance of a card',
    fits: both(isCsv, has('in', 'balance'), (file) => file.layout === 'money in and out'),
    apply: (file) => {
      for (const { fields } of file.rows)
        fields.balance = fields.balance?.startsWith('-') ? fields.balance.slice(1) : `-${fields.balance}`;
    },
  },
  {
    name: 'two signs',
    fits: both(isTable, has('amount')),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.amount = `--${row.fields.amount}`;
      forget(row);
    },
  },
  // Currency.
  ...['Transaction Currency', 'Account Currency', 'Curr.', 'Ccy', 'Currency (ISO)', 'Wallet'].map(
    (name): Mutation => ({
      name: `a column ${name} with another currency in one row`,
      fits: both(isPlainCsv, (file) => !file.columns.some(({ field }) => field === 'currency')),
      apply: (file, random) => {
        const row = anyRow(file, random);
        addColumn(file, 'currency', name, (each) => (each === row ? 'EUR' : 'GBP'));
        forget(row);
      },
    }),
  ),
  {
    name: 'another currency in the middle',
    fits: has('currency'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.currency = random.pick(['EUR', 'usd', '€']);
      forget(row);
    },
  },
  ...[
    'Currency: EUR',
    'Account currency,EUR',
    'All amounts in euros',
    'Euro current account',
    'Balance: €1200.00',
  ].map(
    (line): Mutation => ({
      name: `the line "${line}" before the header`,
      fits: both(isPlainCsv, (file) => file.delimiter === ','),
      apply: (file) => {
        file.before.push(line);
        forgetAll(file);
      },
    }),
  ),
  {
    name: 'amounts in euros by the name of their column',
    fits: both(isTable, has('amount'), isPlainCsv),
    apply: (file) => {
      for (const column of file.columns) if (column.field === 'amount') column.name = 'Amount (€)';
      forgetAll(file);
    },
  },
  {
    name: 'the currency of another amount',
    fits: both(isPlainCsv, has('amount')),
    apply: (file) => addColumn(file, 'local', 'Local currency', () => 'USD'),
  },
  // Dates.
  {
    name: 'two digits of the year first',
    fits: both(isPlainCsv, (file) => /^\d{4}-/.test(`${file.rows[0]?.fields.date}`)),
    apply: (file) => {
      for (const { fields } of file.rows) fields.date = `${fields.date}`.slice(2).replaceAll('-', '/');
      forgetAll(file);
    },
  },
  {
    name: 'the month first in all dates, with dots or in a bank',
    fits: both(
      isCsv,
      (file) => file.columns.some(({ field }) => field === 'date'),
      (file) => /^\d\d[/.]\d\d[/.]\d{4}$/.test(`${file.rows[0]?.fields.date}`),
      (file) => file.rows.every(({ fields }) => fields.line === undefined),
      // Other mutations can take rows away, and one has to show the order.
      (file) => file.rows.filter(({ fields }) => Number(fields.date?.slice(0, 2)) > 12).length > 3,
    ),
    apply: (file) => {
      const mark = ['starling', 'lloyds'].includes(file.layout) ? '/' : '.';
      for (const { fields } of file.rows) {
        const [day, month, year] = `${fields.date}`.split(/[/.]/);
        fields.date = [month, day, year].join(mark);
      }
      forgetAll(file);
    },
  },
  {
    name: 'dates that a spreadsheet has exchanged',
    fits: both(
      isPlainCsv,
      (file) => /^\d\d\/\d\d\/\d{4}$/.test(`${file.rows[0]?.fields.date}`),
      (file) => file.rows.some(({ fields }) => Number(fields.date?.slice(0, 2)) <= 12),
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
  // Encodings.
  {
    name: 'one broken character',
    fits: both(
      isCsv,
      (file) => file.rows.filter(({ fields }) => /[éë]/.test(fields.description ?? '')).length > 1,
    ),
    apply: (file) => {
      const row = file.rows.find(({ fields }) => /[éë]/.test(fields.description ?? '')) as Row;
      const before = new TextEncoder().encode(row.fields.description);
      allow(file, row);
      const encode = file.encode;
      file.encode = (text) => {
        const bytes = Array.from(encode(text));
        const start = find(bytes, before);
        const broken = before.findIndex((byte) => byte >= 0xc0);
        if (start !== -1) bytes.splice(start + broken + 1, 1);
        return new Uint8Array(bytes);
      };
    },
  },
  {
    name: 'UTF-16',
    fits: isCsv,
    apply: (file) => {
      file.encode = (text) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
    },
  },
  {
    name: 'Windows-1252',
    fits: isCsv,
    apply: (file) => {
      file.encode = (text) => new Uint8Array(Buffer.from(text.replaceAll('€', '\x80'), 'latin1'));
    },
  },
  // Workbooks.
  {
    name: 'a hidden row',
    fits: isFormat('xlsx'),
    apply: (file, random) => {
      const at = random.below(file.rows.length);
      file.sheet.hiddenRows.add(at);
      forget(file.rows[at] as Row);
    },
  },
  {
    name: 'a hidden sheet',
    fits: isFormat('xlsx'),
    apply: (file) => {
      file.sheet.isHidden = true;
      forgetAll(file);
    },
  },
  ...['1', 'true', 'TRUE', ' true '].map(
    (date1904): Mutation => ({
      name: `date1904="${date1904}"`,
      fits: isFormat('xlsx'),
      apply: (file) => {
        file.sheet.date1904 = date1904;
      },
    }),
  ),
  {
    name: 'a date that was computed',
    fits: isFormat('xlsx'),
    apply: (file) => {
      file.sheet.fraction = '.9999999998';
    },
  },
  {
    name: 'a number format in euros',
    fits: isFormat('xlsx'),
    apply: (file, random) => {
      const at = random.below(file.rows.length);
      file.sheet.euroRows.add(at);
      forget(file.rows[at] as Row);
    },
  },
];

function find(bytes: readonly number[], part: Uint8Array): number {
  for (let at = 0; at + part.length <= bytes.length; at++) {
    if (part.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}
