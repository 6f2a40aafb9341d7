/** Borders, ends, and rows that are no payments. */
import type { Row } from './model.ts';
import { pounds } from './model.ts';
import {
  addColumn,
  addRow,
  allow,
  amountOf,
  anyRow,
  both,
  date,
  forget,
  has,
  isCsv,
  isFormat,
  isPlainCsv,
  isTable,
  type Mutation,
} from './mutation.ts';

export const ROW_MUTATIONS: Mutation[] = [
  // Borders and ends.
  {
    name: 'cut within the last row',
    fits: isFormat('csv', 'ofx', 'qif', 'json', 'ndjson', 'camt'),
    apply: (file, random) => {
      const count = 2 + random.below(12);
      allow(file, file.rows.at(-1) as Row);
      file.changesOfText.push((text) => text.slice(0, -count));
    },
  },
  {
    name: 'no last line end',
    fits: isCsv,
    apply: (file) => file.changesOfText.push((text) => text.replace(/\n$/, '')),
  },
  {
    name: 'empty lines',
    fits: isFormat('csv', 'ndjson'),
    apply: (file) => file.changesOfText.push((text) => text.replaceAll('\n', '\n\n')),
  },
  {
    name: 'line ends of Windows',
    fits: isFormat('csv', 'qif', 'ofx', 'ndjson'),
    apply: (file) => file.changesOfText.push((text) => text.replaceAll('\n', '\r\n')),
  },
  {
    name: 'a comma without quotes',
    fits: both(isCsv, (file) => file.delimiter === ','),
    apply: (file, random) => {
      const row = anyRow(file, random);
      const cells = file.columns.map(({ field }) => row.fields[field] ?? '');
      const at = file.columns.findIndex(({ field }) => field === 'description');
      cells[at] = 'RENT FLAT 2, 45';
      row.fields.line = cells.join(',');
      forget(row);
    },
  },
  {
    name: 'a quote that ends in a later row',
    fits: both(isCsv, (file) => file.rows.length > 3),
    apply: (file, random) => {
      const at = random.below(file.rows.length - 2);
      const end = at + 1 + random.below(2);
      const open = (index: number, mark: (text: string) => string) => {
        const { fields } = file.rows[index] as Row;
        fields.line = file.columns
          .map(({ field }) => (field === 'description' ? mark(`${fields[field]}`) : (fields[field] ?? '')))
          .join(file.delimiter);
      };
      open(at, (text) => `"${text}`);
      open(end, (text) => `${text}"`);
      for (const row of file.rows.slice(at, end + 1)) forget(row);
    },
  },
  // Rows that are no payments.
  ...['Total', 'Total April', 'Grand total', 'TOTAL 2026', 'Sub-total for April'].map(
    (text): Mutation => ({
      name: `the row "${text}" in the date column`,
      fits: both(isTable, has('amount')),
      apply: (file) => addRow(file, { date: text, amount: pounds(amountOf(file)) }),
    }),
  ),
  ...[
    'CLOSING BALANCE AS AT 30 APRIL',
    'Opening balance 1 April 2026',
    'Balance brought forward',
    'Balance as of 30/04/2026',
    'Opening bal.',
    'Bal c/f',
    'Balance as per bank',
  ].map(
    (text): Mutation => ({
      name: `the row "${text}" with a date`,
      fits: both(isPlainCsv, has('amount')),
      apply: (file) => {
        const { line: _, ...fields } = file.rows.at(-1)?.fields ?? {};
        addRow(file, { ...fields, description: text, amount: pounds(190_000) });
      },
    }),
  ),
  {
    name: 'a total in words with a date',
    fits: both(isPlainCsv, has('amount'), (file) => !file.columns.some(({ field }) => field === 'type')),
    apply: (file, random) =>
      addRow(file, {
        date: date(file),
        description: random.pick([
          'Sum of the month',
          'Total of all',
          'Totals for April',
          'Page total',
          '** TOTAL **',
          'Net profit',
        ]),
        amount: pounds(amountOf(file)),
      }),
  },
  ...['REFUNDED', 'Pending', 'Reversed', 'Cancelled'].map(
    (status): Mutation => ({
      name: `the status ${status}`,
      fits: both(isTable, has('status')),
      apply: (file, random) => {
        const row = anyRow(file, random);
        row.fields.status = status;
        forget(row);
      },
    }),
  ),
  ...[
    ['Booking status', 'Pending', 'Booked'],
    ['Void', 'Yes', 'No'],
    ['Outcome', 'Declined', 'Approved'],
    ['Settled', 'No', 'Yes'],
  ].map(
    ([name = '', value = '', usual = '']): Mutation => ({
      name: `a column ${name} with ${value} in one row`,
      fits: both(isPlainCsv, (file) => !file.columns.some(({ field }) => field === 'status')),
      apply: (file, random) => {
        const row = anyRow(file, random);
        addColumn(file, 'status', name, (each) => (each === row ? value : usual));
        forget(row);
      },
    }),
  ),
  {
    name: 'the type Memo',
    fits: both(isTable, has('status', 'type')),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.type = 'Memo';
      forget(row);
    },
  },
  {
    name: 'the header again',
    fits: isCsv,
    apply: (file, random) =>
      file.rows.splice(random.below(file.rows.length), 0, {
        fields: Object.fromEntries(file.columns.map(({ field, name }) => [field, name])),
        payment: undefined,
      }),
  },
  {
    name: 'a header with other columns',
    fits: both(isPlainCsv, (file) => file.rows.length > 2),
    apply: (file) => {
      const line = (cells: string[]) => cells.toReversed().join(file.delimiter);
      const at = Math.floor(file.rows.length / 2);
      for (const row of file.rows.slice(at))
        row.fields.line = line(file.columns.map(({ field }) => row.fields[field] ?? ''));
      file.rows.splice(at, 0, {
        fields: { line: line(file.columns.map(({ name }) => name)) },
        payment: undefined,
      });
    },
  },
  {
    name: 'a row with another delimiter',
    fits: isPlainCsv,
    apply: (file, random) => {
      const row = anyRow(file, random);
      const delimiter = file.delimiter === ';' ? '|' : ';';
      row.fields.line = file.columns.map(({ field }) => row.fields[field] ?? '').join(delimiter);
      forget(row);
    },
  },
  {
    name: 'a payment above the header',
    fits: isPlainCsv,
    apply: (file) => {
      const [row] = file.rows.splice(0, 1) as [Row];
      file.before.push(file.columns.map(({ field }) => row.fields[field] ?? '').join(file.delimiter));
      file.rows.push({ fields: { line: '' }, payment: row.payment });
    },
  },
];
