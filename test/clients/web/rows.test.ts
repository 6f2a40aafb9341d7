/** The model of the import page: rows, edits, totals and the plan of a push, without a browser. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportOptions } from '../../../clients/typescript/import/index.ts';
import { readStatement } from '../../../clients/typescript/import/index.ts';
import type { Transaction } from '../../../clients/typescript/index.ts';
import { mapFor } from '../../../clients/web/import/column-names.ts';
import { differences, type KnownEntries, periodOf } from '../../../clients/web/import/known.ts';
import { readyToPush } from '../../../clients/web/import/push.ts';
import { reportCsv } from '../../../clients/web/import/report.ts';
import { countsOfRows, editText, isShown, rowsOf } from '../../../clients/web/import/rows.ts';
import {
  canPush,
  initialState,
  isWorkAtRisk,
  NOTHING_KNOWN,
  withCorrection,
  withFile,
  withReading,
} from '../../../clients/web/import/state.ts';
import { recognisedText } from '../../../clients/web/import/words.ts';

const CSV = `Date,Description,Amount
31/01/2026,Rent,950.00
32/01/2026,Repairs,-23.4x
15/04/2026,=HYPERLINK("http://x"),-2.50
,Total,924.10
`;
const read = (text: string, options: ImportOptions = {}) =>
  readStatement(new TextEncoder().encode(text), { fileName: 'file.csv', ...options });

const stored = (fields: Partial<Transaction>): Transaction => ({
  id: 'e1',
  date: '2026-01-31',
  type: 'income',
  amountPence: 95_000,
  category: null,
  description: 'Rent',
  externalRef: '',
  ...fields,
});
const known = (...entries: Transaction[]): KnownEntries => ({
  ...NOTHING_KNOWN,
  status: 'read',
  byReference: new Map(entries.map((each) => [each.externalRef ?? '', each])),
});

describe('the rows', () => {
  test('are those of the file in its order: entries, problems by field, skipped ones with their reason', async () => {
    const rows = rowsOf(await read(CSV), new Map(), NOTHING_KNOWN);
    expect(rows.map(({ row, standing }) => [row, standing])).toEqual([
      [2, 'new'],
      [3, 'problem'],
      [4, 'new'],
      [5, 'skipped'],
    ]);
    expect(Object.keys(rows[1]?.problems ?? {}).sort()).toEqual(['amount', 'date']);
    expect(rows[1]?.texts).toMatchObject({ date: '32/01/2026', amount: '-23.4x', description: 'Repairs' });
    expect(rows[3]?.note).toContain('total');
  });

  test('are counted and filtered by what they are', async () => {
    const rows = rowsOf(await read(CSV), new Map(), NOTHING_KNOWN);
    expect(countsOfRows(rows)).toEqual({ all: 4, problem: 1, new: 2, known: 0, conflict: 0, leftOut: 1 });
    expect(rows.filter((row) => isShown(row, 'problem')).map(({ row }) => row)).toEqual([3]);
    expect(rows.filter((row) => isShown(row, 'leftOut')).map(({ row }) => row)).toEqual([5]);
  });

  test('show which entries the books have, and where they differ', async () => {
    const result = await read(CSV);
    const reference = (index: number) => result.entries[index]?.entry.externalRef ?? '';
    const books = known(
      stored({ externalRef: reference(0) }),
      stored({ externalRef: reference(1), date: '2026-04-15', amountPence: 250, description: 'Else' }),
    );
    const rows = rowsOf(result, new Map(), books);
    expect(rows.map(({ standing }) => standing)).toEqual(['known', 'problem', 'conflict', 'skipped']);
    expect(rows[2]?.note).toContain('type, description');
  });

  test('a category that the app has chosen is a difference only if the file names another', () => {
    const entry = { date: '2026-01-31', type: 'income', amountPence: 95_000, description: 'Rent' } as const;
    expect(differences(entry, stored({ category: 'periodAmount' }))).toEqual([]);
    expect(differences({ ...entry, category: 'x' }, stored({ category: 'periodAmount' }))).toEqual([
      'category',
    ]);
    expect(differences({ ...entry, category: 'x' }, stored({}))).toEqual(['category']);
    expect(differences(entry, stored({}))).toEqual([]);
  });
});

describe('edits', () => {
  test('make an entry of a row with problems, and leave the references of the others as the file has them', async () => {
    const corrections = withCorrection(new Map(), 3, { date: '30/01/2026' });
    const both = withCorrection(corrections, 3, { amount: '23.49', type: 'expense' });
    const { entries, invalid } = await read(CSV, { corrections: both });
    expect(invalid).toEqual([]);
    expect(entries[1]?.entry).toMatchObject({ date: '2026-01-30', type: 'expense', amountPence: 2349 });
    const [asInFile] = (await read(CSV)).entries;
    const edited = await read(CSV, {
      corrections: withCorrection(both, 2, { amount: '99.00', description: 'x' }),
    });
    expect(edited.entries[0]?.entry).toMatchObject({ amountPence: 9900, description: 'x' });
    expect(edited.entries[0]?.entry.externalRef).toBe(asInFile?.entry.externalRef ?? '');
  });

  test('leave a row out, and take that back', async () => {
    const out = withCorrection(new Map(), 2, { isLeftOut: true });
    const rows = rowsOf(await read(CSV, { corrections: out }), out, NOTHING_KNOWN);
    expect(rows[0]).toMatchObject({ standing: 'leftOut', isEdited: true });
    expect(withCorrection(out, 2, { isLeftOut: undefined }).size).toBe(0);
  });

  test('begin with what the row has', async () => {
    const [entry, problem] = rowsOf(await read(CSV), new Map(), NOTHING_KNOWN);
    const texts = (row = entry) =>
      (['date', 'amount', 'type'] as const).map((field) => row && editText(row, field));
    expect(texts()).toEqual(['2026-01-31', '950.00', 'income']);
    expect(texts(problem).slice(0, 2)).toEqual(['32/01/2026', '-23.4x']);
  });
});

describe('the state', () => {
  test('another file ends the edits and settings of the one before; another sheet ends the edits', () => {
    const state = {
      ...initialState,
      corrections: new Map([[2, { amount: '1' }]]),
      reading: { bank: 'monzo' },
    };
    const file = { name: 'b.csv', bytes: new Uint8Array() };
    expect(withFile(file)).toMatchObject({ reading: {}, corrections: new Map() });
    expect(withReading(state, { sheet: '2' }).corrections).toEqual(new Map());
    expect(withReading(state, { decimal: ',' }).corrections).toBeUndefined();
  });

  test.each([{ bank: 'monzo' }, { sheet: '2' }, { format: 'csv' }] as const)(
    'columns are those of the table that they were chosen for: another one ends the choice, %o',
    (change) => {
      const state = { ...initialState, reading: { map: { date: 'When' }, decimal: ',' } as const };
      expect(withReading(state, change).reading).toEqual({ decimal: ',', ...change });
      expect(withReading(state, { decimal: '.' }).reading).toMatchObject({ map: { date: 'When' } });
    },
  );

  test('a tab with edits or a push that is not done must not close without a word', async () => {
    const { entries } = await read(CSV);
    const push = readyToPush('s', entries);
    expect(isWorkAtRisk(initialState)).toBe(false);
    expect(isWorkAtRisk({ ...initialState, corrections: new Map([[2, {}]]) })).toBe(true);
    expect(isWorkAtRisk({ ...initialState, push: { ...push, status: 'running' } })).toBe(true);
    expect(isWorkAtRisk({ ...initialState, push: { ...push, status: 'paused' } })).toBe(true);
    expect(
      isWorkAtRisk({ ...initialState, push: { ...push, status: 'done' }, corrections: new Map([[2, {}]]) }),
    ).toBe(false);
  });

  test('an export of the ledger is pushed only once its ids were looked up', async () => {
    const result = await read(CSV);
    const ready = { ...initialState, result };
    expect(canPush(ready)).toBe(true);
    expect(canPush({ ...ready, mustCompare: true })).toBe(false);
    expect(canPush({ ...ready, mustCompare: true, known: known() })).toBe(true);
    expect(canPush({ ...ready, isBusy: true })).toBe(false);
  });
});

test('a column is named by its header where that is the only one, else by its number', () => {
  const names = ['Date', 'Amount', 'amount', 'Text', '2026'];
  expect(mapFor(undefined, 'date', '0', names)).toEqual({ date: 'Date' });
  expect(mapFor({ date: 'Date' }, 'amount', '2', names)).toEqual({
    date: 'Date',
    amount: '3',
    moneyIn: '',
    moneyOut: '',
  });
  expect(mapFor({ amount: '3', moneyIn: '', moneyOut: '' }, 'moneyIn', '4', names)).toEqual({ moneyIn: '5' });
  expect(mapFor(undefined, 'category', '', names)).toEqual({ category: '' });
});

test('what was recognised is said in words', async () => {
  const bytes = readFileSync(join(import.meta.dir, '../files/monzo.csv'));
  const result = await readStatement(bytes, { fileName: 'monzo.csv' });
  expect(recognisedText(result, 0)).toStartWith('An export of Monzo (CSV, UTF-8). ');
  expect(periodOf(result.entries)?.from).toBe('2026-04-01');
});

test('the report has every row, and no text of it is a formula', async () => {
  const result = await read(`Date,Description,Amount,Reference\n2026-01-31,a,1.00,\n2026-02-31,b,x,\n`, {
    map: { reference: 'Description' },
  });
  const [entry] = result.entries;
  if (entry) entry.entry.externalRef = '=1+1';
  const push = { ...readyToPush('s', result.entries), outcomes: [{ status: 'created', id: 'e1' } as const] };
  const lines = reportCsv(result, push).trim().split('\r\n');
  expect(lines[0]).toBe('row,status,id,reference,detail');
  expect(lines[1]).toBe("2,created,e1,'=1+1,");
  expect(lines.slice(2).every((line) => line.startsWith('3,invalid,'))).toBe(true);
});
