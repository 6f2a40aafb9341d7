/** Kept answers apply to the files of their account, format and header alone, and a file that contradicts them asks. */
import { describe, expect, test } from 'bun:test';
import {
  type ColumnAnswers,
  ImportError,
  type ImportOptions,
  type ImportResult,
  importFileReader,
  withKeptAnswers,
} from '../../../../clients/typescript/import/index.ts';
import { kindOfRecords } from '../../../../clients/typescript/import/kept/kind-of-file.ts';
import { withFallback } from '../../../../clients/typescript/import/kept/merged-answers.ts';
import { readWithKept } from '../../../../clients/typescript/import/kept/read-with-kept.ts';
import type { ParsedFile, ParsedRow } from '../../../../clients/typescript/import/rows/parsed-row.ts';
import { lines, readText } from './files.ts';
import { csv } from './outcome.ts';

const DATE = '2026-11-28';
const HEADER = 'Date,Details,Rent,Fee';
const FILE = `${HEADER}\n2026-04-06,Flat 1,900.00,90.00\n`;
const ANSWERS = { map: { moneyIn: 'Rent' }, ignore: ['Fee'] };

/** The rules of a person who answered about the file. */
function rulesAfter({ recognised: { kind, answers } }: ImportResult, rules = '', date = DATE): string {
  return withKeptAnswers(rules, { ...kind, answers, date });
}

const refused = async (text: string, options: ImportOptions) =>
  expect(readText(text, options)).rejects.toThrow(ImportError);

describe('answers that are kept', () => {
  test('apply to the next file of the kind, and the result has their day', async () => {
    const first = await readText(FILE, ANSWERS);
    expect(first.recognised.keptFrom).toBeUndefined();
    const rules = rulesAfter(first);
    expect(rules).toBe(`columns in csv "Date,Details,Rent,Fee" from ${DATE}: moneyIn=Rent; ignore Fee\n`);
    const next = await readText(`some title\n${FILE}2026-05-06,Flat 1,950.00,\n`, { rules });
    expect(lines(next)).toEqual(['3 2026-04-06 +90000 Flat 1', '4 2026-05-06 +95000 Flat 1']);
    expect(next.recognised).toMatchObject({ keptFrom: DATE, answers: ANSWERS });
    expect(rulesAfter(next, rules)).toBe(rules);
  });

  test('choose the delimiter and the sheet by their header too', async () => {
    const rules = rulesAfter(await readText(FILE, ANSWERS));
    expect(lines(await readText(FILE.replaceAll(',', ';'), { rules }))).toHaveLength(1);
  });

  test('of one account apply to no other, and to no file without a name', async () => {
    const rules = rulesAfter(await readText(FILE, { ...ANSWERS, accountLabel: 'Agent' }));
    expect((await readText(FILE, { rules, accountLabel: 'Agent' })).recognised.keptFrom).toBe(DATE);
    await refused(FILE, { rules, accountLabel: 'Other' });
    await refused(FILE, { rules });
    const unnamed = rulesAfter(await readText(FILE, ANSWERS));
    await refused(FILE, { rules: unnamed, accountLabel: 'Agent' });
  });

  test('hold for the accounts that a column names', async () => {
    const row = '2026-04-06,Flat 1,900.00,90.00';
    const file = (...accounts: string[]) =>
      csv(`Account,${HEADER}`, ...accounts.map((name) => `${name},${row}`));
    const rules = rulesAfter(await readText(file('A', 'B'), ANSWERS));
    expect(rules).toStartWith('columns of "A" and "B" in csv "Account,');
    expect((await readText(file('B'), { rules })).recognised.keptFrom).toBe(DATE);
    await refused(file('A', 'C'), { rules });
  });

  test('do not apply to another header, another format or another order of columns', async () => {
    const rules = rulesAfter(await readText(FILE, ANSWERS));
    await refused(FILE.replace('Details', 'Text'), { rules });
    await refused(FILE.replace('Rent,Fee', 'Fee,Rent'), { rules });
    await refused(FILE, { rules: rules.replace('in csv', 'in xlsx') });
    await refused(FILE, { rules: '' });
  });

  test('of a table without a header row need an account, and hold for as many columns', async () => {
    const rows = '2026-04-06,Flat 1,-9.00\n2026-04-07,Flat 2,-8.00\n';
    const options = { map: { date: '1', description: '2', amount: '3' }, accountLabel: 'HSBC' };
    const rules = rulesAfter(await readText(rows, options));
    expect(rules).toStartWith('columns of "HSBC" in csv with 3 columns from ');
    expect(lines(await readText(rows, { rules, accountLabel: 'HSBC' }))).toHaveLength(2);
    await refused(rows.replaceAll('.00\n', '.00,5.00\n'), { rules, accountLabel: 'HSBC' });
    await refused(rows, { rules });
  });

  test('leave out no column that was empty when the person chose', async () => {
    const rules = rulesAfter(await readText(FILE.replace('90.00', '0.00'), ANSWERS));
    expect(rules).not.toContain('ignore');
    await refused(FILE, { rules });
  });

  test('are read again when their line changes', async () => {
    const read = importFileReader(new TextEncoder().encode(FILE));
    const rules = rulesAfter(await read(ANSWERS));
    expect(lines(await read({ rules }))).toEqual(['2 2026-04-06 +90000 Flat 1']);
    const other = rules.replace('Rent; ignore Fee', 'Fee; ignore Rent');
    expect(lines(await read({ rules: other }))).toEqual(['2 2026-04-06 +9000 Flat 1']);
  });
});

describe('an option goes before a kept choice', () => {
  const header = ['Date', 'Rent', 'Fee', 'Booked'];
  const kept: ColumnAnswers = {
    map: { moneyIn: 'Rent', date: 'Date' },
    ignore: ['Fee'],
    unit: 'pence',
    values: { Booked: { Yes: 'keep', No: 'skip' } },
  };
  const values = { Booked: { Yes: 'keep', No: 'keep', Part: 'skip' } } as const;
  /** What changes of the kept answers. */
  test.each<[string, ColumnAnswers, ColumnAnswers]>([
    ['about nothing', {}, {}],
    ['about the unit', { unit: 'pounds' }, { unit: 'pounds' }],
    [
      'about a column',
      { map: { moneyOut: 'fee' } },
      { map: { ...kept.map, moneyOut: 'fee' }, ignore: undefined },
    ],
    ['about a column by its number', { ignore: ['2'] }, { map: { date: 'Date' }, ignore: ['Fee', '2'] }],
    ['about a field', { map: { date: 'Booked' } }, { map: { ...kept.map, date: 'Booked' } }],
    [
      'about an amount',
      { map: { spent: 'Fee' } },
      { map: { date: 'Date', spent: 'Fee' }, ignore: undefined },
    ],
    ['about one value', { values: { booked: { Part: 'skip', No: 'keep' } } }, { values }],
    ['about a column of values', { ignore: ['Booked'] }, { ignore: ['Fee', 'Booked'], values: undefined }],
  ])('%s', (_, options, changed) => {
    expect(withFallback(options, kept, header)).toEqual({ ...kept, ...changed } as ImportOptions);
  });
});

/** A reader whose direction is settled by the choice, else by the file, else a question. */
function reading(rules: string, byFile: 'amount' | 'spent' | undefined, accounts: string[] = []) {
  const read = ({ map = {}, values = {} }: ImportOptions): ParsedFile => {
    const direction = map.spent ? 'spent' : map.amount ? 'amount' : byFile;
    const unknown = Object.hasOwn(values.TRNTYPE ?? {}, 'XFER') ? [] : ['XFER'];
    if (direction === undefined || (byFile === undefined && unknown.length > 0)) {
      const error = new ImportError('unresolved_columns', 'The file is open.', 'map');
      error.questions = [];
      error.accounts = accounts;
      throw error;
    }
    const parsed = { row: 1, date: DATE, pence: 500, description: '', problems: [] };
    const isSkipped = values.TRNTYPE?.XFER === 'skip';
    const type = direction === 'spent' ? 'expense' : 'income';
    const one: ParsedRow[] = [{ ...parsed, type, account: accounts[0] ?? '', texts: () => ({}) as never }];
    return {
      parsedRows: one.map((each) => ({ ...each, ...(isSkipped && { skipReason: 'no' }) })),
      columnNames: {},
    };
  };
  return () => readWithKept(kindOfRecords('ofx'), { rules }, read);
}

describe('a kept choice', () => {
  const line = (answers: string) => `columns of "A" in ofx from ${DATE}: ${answers}`;

  test('that the file contradicts is asked about again, with both readings', () => {
    const read = reading(line('spent=TRNAMT'), 'amount', ['A']);
    const message = `The file contradicts the columns as chosen on ${DATE}: row 1 is income 5.00 by the file, and expense 5.00 as chosen.`;
    expect(read).toThrow(message);
    expect(thrownBy(read)).toMatchObject({
      questions: [{ kind: 'direction', name: 'TRNAMT', rows: [1], message }],
    });
    expect(reading(line('spent=TRNAMT'), 'spent', ['A'])().keptFrom).toBe(DATE);
  });

  test('that leaves out a payment which the file settles is asked about too', () => {
    const read = reading(line('amount=TRNAMT; TRNTYPE: XFER=skip'), 'amount', ['A']);
    expect(thrownBy(read)).toMatchObject({
      questions: [{ kind: 'values', name: 'TRNTYPE', values: ['XFER'], rows: [1] }],
    });
  });

  test('settles the file, and a value that it does not have is asked about alone', () => {
    expect(reading(line('spent=TRNAMT; TRNTYPE: XFER=keep'), undefined, ['A'])().keptFrom).toBe(DATE);
    expect(reading(line('spent=TRNAMT; TRNTYPE: POS=keep'), undefined, ['A'])).toThrow(
      `The file is open. The other columns are as chosen on ${DATE}.`,
    );
  });

  test('of another account does not settle it', () => {
    expect(reading(line('spent=TRNAMT; TRNTYPE: XFER=keep'), undefined, ['B'])).toThrow(/open\.$/);
    expect(reading(line('spent=TRNAMT; TRNTYPE: XFER=keep'), undefined, [])).toThrow(/open\.$/);
  });
});

describe('the message says that the header has changed', () => {
  const read = (header: string, accountLabel?: string) => () =>
    readWithKept(
      { format: 'csv', hasHeader: () => false, header: () => header.split(','), accountsIn: () => [] },
      { rules, accountLabel },
      (): ParsedFile => {
        throw Object.assign(new ImportError('unresolved_columns', 'Open.', 'map'), { questions: [] });
      },
    );
  const rules = `columns of "A" in csv "Date,Text,Amount" from ${DATE}: amount=Amount
columns in csv "Date,Text,Sum" from 2026-01-02: amount=Sum`;
  test.each<[string, string, string | undefined, string]>([
    [
      'with its columns',
      'Date,Text,Value',
      'A',
      `The header has changed since the columns were chosen on ${DATE}: "Value" is new, "Amount" is gone.`,
    ],
    ['with another order', 'Text,Date,Amount', 'A', `chosen on ${DATE}: the columns have another order.`],
    ['without a name', 'Date,Text,x', undefined, 'chosen on 2026-01-02: "x" is new, "Sum" is gone.'],
    ['not of a file without a name whose columns are others', 'Date,a,b,c', undefined, 'Open.'],
    ['not of another account', 'Date,Text,Value', 'B', 'Open.'],
  ])('%s', (_, header, account, end) => {
    expect(thrownBy(read(header, account)).message).toEndWith(end);
  });
});

function thrownBy(run: () => unknown): ImportError {
  try {
    run();
  } catch (error) {
    return error as ImportError;
  }
  throw new Error('Nothing was thrown.');
}
