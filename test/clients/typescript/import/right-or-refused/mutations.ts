/** What happens to people's files. Each mutation says, by the payments that it leaves in the rows, what may be read. */
import type { ModelFile, Row } from './model.ts';
import { pounds } from './model.ts';
import type { Random } from './random.ts';

export interface Mutation {
  name: string;
  /** Whether it can happen to the file. */
  fits: (file: ModelFile) => boolean;
  apply: (file: ModelFile, random: Random) => void;
}

const has =
  (...fields: string[]) =>
  (file: ModelFile) =>
    fields.every((field) => file.columns.some((column) => column.field === field));
const isFormat =
  (...formats: ModelFile['format'][]) =>
  (file: ModelFile) =>
    formats.includes(file.format);
const isTable = isFormat('csv', 'xlsx');
const isCsv = isFormat('csv');
const isPlainCsv = (file: ModelFile) => isCsv(file) && !['starling', 'lloyds'].includes(file.layout);
const both =
  (...conditions: ((file: ModelFile) => boolean)[]) =>
  (file: ModelFile) =>
    conditions.every((holds) => holds(file));

/** The row is no payment any more, or nobody can know of which amount. */
const forget = (row: Row) => {
  row.payment = undefined;
};
/** The row may be read rightly, or not at all. */
const allow = (file: ModelFile, row: Row) => {
  if (row.payment) file.optional.push(row.payment);
  forget(row);
};
const anyRow = (file: ModelFile, random: Random) => random.pick(file.rows);
const forgetAll = (file: ModelFile) => file.rows.forEach(forget);
const addColumn = (file: ModelFile, field: string, name: string, value: (row: Row) => string) => {
  file.columns.push({ field, name });
  for (const row of file.rows) row.fields[field] = value(row);
};
const addRow = (file: ModelFile, fields: Record<string, string>) =>
  file.rows.push({ fields, payment: undefined });

const amountOf = (file: ModelFile) => file.rows.reduce((sum, { payment }) => sum + (payment?.pence ?? 0), 0);
const date = (file: ModelFile) => `${file.rows.at(-1)?.fields.date}`;

export const MUTATIONS: Mutation[] = [
  // Borders and ends.
  {
    name: 'cut within the last row',
    fits: isFormat('csv', 'ofx', 'qif', 'json', 'ndjson'),
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
      apply: (file) =>
        addRow(file, { ...file.rows.at(-1)?.fields, description: text, amount: pounds(190_000) }),
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
  // OFX.
  {
    name: 'a debit without a minus',
    fits: isFormat('ofx'),
    apply: (file) => {
      const row = file.rows.find(({ fields }) => fields.TRNTYPE === 'DEBIT') as Row;
      row.fields.TRNAMT = `${row.fields.TRNAMT}`.slice(1);
      forget(row);
    },
  },
  {
    name: 'a credit with a minus',
    fits: isFormat('ofx'),
    apply: (file) => {
      const row = file.rows.find(({ fields }) => fields.TRNTYPE === 'CREDIT') as Row;
      row.fields.TRNAMT = `-${row.fields.TRNAMT}`;
      forget(row);
    },
  },
  {
    name: 'CURRENCY of one payment',
    fits: isFormat('ofx'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.raw = '<CURRENCY><CURRATE>0.85<CURSYM>EUR</CURRENCY>';
      forget(row);
    },
  },
  {
    name: 'ORIGCURRENCY of one payment',
    fits: isFormat('ofx'),
    apply: (file, random) => {
      anyRow(file, random).fields.raw = '<ORIGCURRENCY><CURRATE>0.85<CURSYM>EUR</ORIGCURRENCY>';
    },
  },
  {
    name: 'zeros behind an amount',
    fits: isFormat('ofx'),
    apply: (file, random) => {
      anyRow(file, random).fields.TRNAMT += '00000';
    },
  },
  {
    name: 'a start tag that is missing',
    fits: both(isFormat('ofx'), (file) => file.rows.length > 2),
    apply: (file) => {
      forget(file.rows[1] as Row);
      forget(file.rows[0] as Row);
      file.changesOfText.push((text) => text.replace(/<\/STMTTRN>\r?\n<STMTTRN>/, ''));
    },
  },
  {
    name: 'an end tag that is missing',
    fits: isFormat('ofx'),
    apply: (file) =>
      file.changesOfText.push((text) =>
        text.replace(/<\/STMTTRN>\r?\n<STMTTRN>(?![\s\S]*<STMTTRN>)/, '<STMTTRN>'),
      ),
  },
  {
    name: 'text behind markup',
    fits: isFormat('ofx'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.raw = '<MEMO>for <b>May</b> only';
      forget(row);
    },
  },
  {
    name: 'a correction',
    fits: both(isFormat('ofx'), (file) => file.rows.length > 1),
    apply: (file) => {
      const [first, second] = file.rows as [Row, Row];
      first.fields.FITID = 'X1';
      second.fields.raw = '<CORRECTFITID>X1<CORRECTACTION>REPLACE';
      forget(first);
      forget(second);
    },
  },
  {
    name: 'two equal payments with one FITID',
    fits: isFormat('ofx'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.FITID = 'SAME';
      file.rows.push({ fields: { ...row.fields }, payment: row.payment });
    },
  },
  {
    name: 'a pending payment',
    fits: isFormat('ofx'),
    apply: (file) =>
      file.changesOfText.push((text) =>
        text.replace(
          '</BANKTRANLIST>',
          '</BANKTRANLIST><BANKTRANLISTP><STMTTRNP><TRNTYPE>DEBIT<DTTRAN>20260401<TRNAMT>-9.00<NAME>PENDING</STMTTRNP></BANKTRANLISTP>',
        ),
      ),
  },
  // QIF.
  {
    name: 'a line ^ that is missing',
    fits: both(isFormat('qif'), (file) => file.rows.length > 2),
    apply: (file) => {
      forget(file.rows[0] as Row);
      forget(file.rows[1] as Row);
      file.changesOfText.push((text) => text.replace(/\^\r?\n/, ''));
    },
  },
  {
    name: 'a line that QIF does not have',
    fits: isFormat('qif'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.Z = 'x';
      forget(row);
    },
  },
  {
    name: 'two amounts',
    fits: isFormat('qif'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.U = '12345.67';
      forget(row);
    },
  },
  {
    name: 'splits',
    fits: isFormat('qif'),
    apply: (file, random) => {
      const { fields } = anyRow(file, random);
      Object.assign(fields, { S: 'Repairs', $: `${fields.T}` });
    },
  },
  // JSON.
  {
    name: 'pounds in the place of pence',
    fits: isFormat('json', 'ndjson'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.amountPence = `${row.fields.amountPence}.00`;
      forget(row);
    },
  },
  {
    name: 'an exponent',
    fits: isFormat('json', 'ndjson'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields.amountPence = '1e2';
      forget(row);
    },
  },
  {
    name: 'a member twice',
    fits: isFormat('json', 'ndjson'),
    apply: (file, random) => {
      const row = anyRow(file, random);
      row.fields['amountPence*'] = '1';
      forget(row);
    },
  },
];

function find(bytes: readonly number[], part: Uint8Array): number {
  for (let at = 0; at + part.length <= bytes.length; at++) {
    if (part.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}
