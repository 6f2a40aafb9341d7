/** Tables whose columns, headings, balances or cells speak against each other: refused, or the row is invalid. */
import { describe, expect, test } from 'bun:test';
import type { ImportOptions } from '../../../../clients/typescript/import/index.ts';
import { lines, readBytes, readOpen, readText, rowsOf } from './files.ts';
import { csv, outcomeOf } from './outcome.ts';

const refusal = (text: string, options: ImportOptions = {}) =>
  readText(text, options).then(
    () => 'read',
    ({ code }) => code,
  );
const invalidRows = async (text: string) => (await rowsOf(text))[2];

describe('direction', () => {
  test.each<string[]>([
    ['money in alone has CR', 'Amount', '9.50', '200.00CR'],
    ['money in alone has a plus', 'Amount', '9.50', '+2.00'],
    ['the only minus is not read', 'Amount', '--9.50', '2.00'],
    ['a unit is no money in', 'Amount in GBP', '5.00', '2.00'],
    ['a sign is no money in', 'Amount in £', '5.00', '2.00'],
    ['a sign in parentheses is no money in', 'Paid (in £)', '5.00', '2.00'],
    ['kinds of cards', 'Card type,Amount', 'Debit,5.00', 'Credit,2.00'],
    ['kinds of cards beside money in', 'Paid by,Money in', 'Debit,5.00', 'Credit,2.00'],
  ])('is open: %s', async (_, columns, ...rows) => {
    const reading = readOpen(csv(`Date,Description,${columns}`, ...rows.map((row) => `14/04/2026,A,${row}`)));
    await expect(reading).rejects.toMatchObject({ code: 'unresolved_columns' });
  });

  test('Debit and Credit are directions if a minus, a column or the name says the same', async () => {
    const read = async (columns: string, ...rows: string[]) =>
      lines(
        await readText(csv(`Date,Description,${columns}`, ...rows.map((row) => `14/04/2026,A,${row}`))),
      ).map((line) => line.slice(13, -2));
    for (const [columns, ...rows] of [
      ['Details,Amount', 'DEBIT,-5.00', 'CREDIT,2.00'],
      ['Side,Money in (£),Money out (£)', 'Debit,,5.00', 'Credit,2.00,'],
      ['Type,Amount', 'Debit,5.00', 'Credit,2.00'],
    ] as [string, ...string[]][])
      expect(await read(columns, ...rows)).toEqual(['-500', '+200']);
  });

  test('columns Cr and Dr, a column of signs, and minus signs of all kinds are read', async () => {
    const read = async (columns: string, ...amounts: string[]) => {
      const rows = amounts.map((amount) => `14/04/2026,A,${amount}`);
      return lines(await readText(csv(`Date,Description,${columns}`, ...rows))).map((line) =>
        line.slice(13, -2),
      );
    };
    expect(await read('Dr,Cr', '5.00,', ',2.00')).toEqual(['-500', '+200']);
    expect(await read('Sign,Amount', '-,5.00', '+,2.00')).toEqual(['-500', '+200']);
    expect(await read('+/-,Amount', '+,5.00', '-,2.00')).toEqual(['+500', '-200']);
    expect(await read('S/H,Amount', 'H,5.00', 'S,2.00')).toEqual(['+500', '-200']);
    expect(await read('Amount', '\u20115.00', '\u20142.00', '£(4.00)')).toEqual(['-500', '-200', '-400']);
  });

  test.each([
    ['Amount', '10.00', '-20.00', '30.00', '-10.00'],
    ['Paid in,Paid out', '10.00,', ',20.00', '30.00,', ',10.00'],
  ])('a row whose balance goes the other way is invalid: %s', async (columns, ...amounts) => {
    const balances = ['110.00', '90.00', '60.00', '50.00'];
    const rows = amounts.map((amount, index) => `1${4 + index}/04/2026,A,${amount},${balances[index]}`);
    expect(await invalidRows(csv(`Date,Description,${columns},Balance`, ...rows))).toEqual([4]);
  });

  test('rows are invalid also if the balance goes the other way in most of them', async () => {
    const rows = ['10.00,110.00', '20.00,90.00', '30.00,60.00', '40.00,100.00'];
    const dated = rows.map((row, index) => `1${4 + index}/04/2026,A,${row}`);
    expect(await invalidRows(csv('Date,Description,Amount,Balance', ...dated))).toEqual([3, 4]);
  });

  test('equal payments of a day contradict nothing, in whatever order', async () => {
    const header = 'Date,Description,Amount,Balance';
    const rows = ['14/04/2026,A,10.00,30.00', '14/04/2026,B,10.00,20.00', '15/04/2026,C,5.00,35.00'];
    expect(await invalidRows(csv(header, ...rows))).toEqual([]);
    expect(await invalidRows(csv(header, ...rows.slice(0, 2)))).toEqual([]);
  });
});

describe('currency', () => {
  test.each([
    ...['Currency (ISO)', 'Transaction Currency', 'Account Currency', 'Curr.', 'Ccy', 'Iso code'],
    ...['Wallet', 'Account', 'Währung', ''],
  ])('of a column %s', async (name) => {
    const rows = ['GBP', 'EUR', 'GBP'].map((currency) => `14/04/2026,A,5.00,${currency}`);
    expect(await invalidRows(csv(`Date,Description,Amount,${name}`, ...rows))).toEqual([3]);
  });

  test('of a row whose cell is empty beside other currencies is open', async () => {
    const of = (...codes: string[]) =>
      invalidRows(csv('Date,Description,Amount,Ccy', ...codes.map((code) => `14/04/2026,A,5.00,${code}`)));
    expect(await of('GBP', 'EUR', '', 'GBP')).toEqual([3, 4]);
    expect(await of('GBP', '', 'GBP')).toEqual([]);
  });

  test.each([
    ['My Euro account 2026', 0],
    ['All amounts in euros', 0],
    ['Account currency,EUR', 0],
    ['Base currency: GBP. Amounts in EUR', 0],
    ['Currency: Turkish lira', 0],
    ['Currency,XAF', 0],
    ['Currency,978', 0],
    ['Beträge in Euro', 0],
    ['Balance ₦12.00', 0],
    ['Currency: British Pound Sterling', 2],
    ['Foreign currency transactions are charged at 2.75%', 2],
    ['Currency,Balance,Available', 2],
  ])('of the line "%s": %d rows are read', async (line, count) => {
    const text = csv(line, 'Date,Description,Amount', '14/04/2026,A,5.00', '15/04/2026,B,-2.00');
    expect((await outcomeOf(text)).entries).toHaveLength(count);
  });

  test('of a section, and of a title that nothing else names', async () => {
    const text = csv('Date,Description,Amount', '14/04/2026,A,5.00', '15/04/2026,B,-2.00');
    const section = text.replace('\n15', '\nEUR account,,\n15');
    expect((await outcomeOf(section, { rowMeanings: { 3: 'keep' } })).said).toContain('EUR account');
    const count = async (fileName: string) => (await outcomeOf(text, { fileName })).entries.length;
    expect(await count('statement_EUR_2026-04.csv')).toBe(0);
    expect(await count('Euro.csv')).toBe(0);
    expect(await count('gbp and eur accounts.csv')).toBe(2);
    expect(await count('EUROSTAR.csv')).toBe(2);
  });

  test('of the sign in a name, also if nobody has listed it', async () => {
    const of = (name: string) => outcomeOf(csv(`Date,Description,${name}`, '14/04/2026,A,5.00'));
    for (const sign of ['₦', '₴', '₪', '₺', '¢', '$'])
      expect(await of(`Received (${sign})`)).toEqual({
        entries: [],
        said: expect.stringContaining('not in pounds'),
      });
    expect((await of('Received (£)')).entries).toHaveLength(1);
  });

  test('of another amount is none of the row', async () => {
    const text = csv('Date,Description,Amount,FX currency,Orig. currency', '14/04/2026,A,5.00,EUR,USD');
    expect((await readText(text)).entries).toHaveLength(1);
  });
});

describe('dates', () => {
  test.each([
    ['dots', csv('Date,Description,Amount', '04.06.2026,A,5.00', '04.14.2026,B,2.00')],
    ['the year first', csv('Date,Description,Amount', '2026-06-04,A,5.00', '2026-14-04,B,2.00')],
    ['a bank', csv('Date,Counter Party,Reference,Type,Amount (GBP)', '04/14/2026,A,,FP,5.00')],
  ])('in another order than usual are open: %s', async (_, text) => {
    expect(await refusal(text)).toBe('ambiguous_dates');
  });

  test('one that is mistyped is the row that is invalid', async () => {
    const text = csv('Date,Description,Amount', '2026-04-14,A,5.00', '2026-13-01,B,2.00');
    expect(await invalidRows(text)).toEqual([3]);
  });
});

describe('borders', () => {
  const header = 'Date,Description,Amount,Balance';
  test.each([
    ['another delimiter', csv(header, '14/04/2026,A,5.00,5.00', '15/04/2026;B;2.00;7.00')],
    ['quotes around the row', csv(header, '14/04/2026,A,5.00,5.00', '"15/04/2026,B,2.00,7.00"')],
    [
      'a missing delimiter',
      csv(header, '14/04/2026,A,5.00,5.00', '15/04/2026,B7.00,7.00', '16/04/2026,C,1.00,8.00'),
    ],
    [
      'thousands that all go on in the next cell',
      csv('Date,Description,Paid in,Paid out', '14/04/2026,A,1,000.00', '15/04/2026,B,1,000.00'),
    ],
    [
      'commas that may stand before three decimals',
      csv(header, '14/04/2026,A,"45,600",', '15/04/2026,B,"1,250",'),
    ],
    ['thousands without quotes', csv(header, '14/04/2026,A,5.00,5.00', '15/04/2026,B,1,950.00')],
    ['a comma before the pence', csv('Date;Amount', '14/04/2026;5,25', '15/04/2026;1,234', '16/04/2026;7')],
    ['a byte that is lost', csv(header, '14/04/2026,A,5.00,5.00', '15/04/2026,B,1\0.00,6.00')],
  ])('look wrong: %s', async (_, text) => {
    expect(await invalidRows(text)).toContain(3);
  });

  test.each([
    ...['Date,Description,Cost', 'Date paid,Contractor,Cost', 'Date,Supplier,Amount', 'Amount,Tenant,Date'],
  ])('a second header is refused: %s', async (second) => {
    const text = csv('Date,Tenant,Amount', '14/04/2026,A,5.00', second, '15/04/2026,B,2.00');
    expect(await refusal(text)).toBe('unreadable_file');
  });

  test('exporters leave out empty cells at the end', async () => {
    const rows = ['14/04/2026,A,5.00', '15/04/2026,B,,2.00', '16/04/2026,C,4.00'];
    expect(await invalidRows(csv('Date,Description,Paid in,Paid out', ...rows))).toEqual([]);
  });
});

describe('files', () => {
  test.each([
    ['MS-DOS', 'Caf\x82'],
    ['an old Mac', 'Caf\x8e'],
  ])('a text of %s is not read as Windows-1252', async (_, name) => {
    const text = csv('Date,Description,Amount', `14/04/2026,${name} LEEDS,5.00`);
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    await expect(readBytes(bytes)).rejects.toMatchObject({ option: 'encoding' });
    expect((await readBytes(bytes, { encoding: 'windows-1252' })).entries).toHaveLength(1);
  });
});
