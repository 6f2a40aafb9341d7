/** Sums, exports and reports that the command and the page share. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { exported } from '../../../../clients/cli/export.ts';
import { csvOf, ownTable } from '../../../../clients/typescript/export/csv.ts';
import { exportCells, withoutFormula } from '../../../../clients/typescript/export/export-rows.ts';
import { countOf, netOf, totalsBy, totalsOf } from '../../../../clients/typescript/export/totals.ts';
import { readImportFile } from '../../../../clients/typescript/import/index.ts';
import type { Transaction } from '../../../../clients/typescript/index.ts';
import { differences } from '../../../../clients/typescript/match/compared-entry.ts';
import { rowsOfFiles } from '../../../../clients/typescript/match/row.ts';
import { pounds } from '../../../../clients/typescript/pounds.ts';
import { pushReport } from '../../../../clients/typescript/push/push-report.ts';
import { readText } from '../import/files.ts';

setDefaultTimeout(60_000);

const LARGEST = Number.MAX_SAFE_INTEGER;
const entries = [
  { date: '2026-05-01', type: 'expense', amountPence: 250, category: 'other' },
  { date: '2026-04-30', type: 'income', amountPence: LARGEST, category: null },
  { date: '2026-04-01', type: 'income', amountPence: LARGEST },
  { date: '2026-04-02', type: 'expense', amountPence: 1, category: 'a' },
] as const;

/** In London, it is the next day. */
const RECORDED = Bun.randomUUIDv7('hex', Date.parse('2026-04-01T23:30:00Z'));

const rowsWith = (delimiter: string, rows: readonly { a: string; b: string }[]) =>
  rows.map(({ a, b }) => [a, b].map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter)).join('\n');

describe('totals', () => {
  test('are exact beyond 2^53', () => {
    const totals = totalsOf(entries);
    expect(totals).toEqual({
      income: { count: 2, pence: 2n * BigInt(LARGEST) },
      expense: { count: 2, pence: 251n },
    });
    expect([countOf(totals), pounds(netOf(totals))]).toEqual([4, '180,143,985,094,817.31']);
  });

  test.each([
    ['month', ['2026-04', '2026-05']],
    ['category', [null, 'a', 'other']],
  ] as const)('by %s are in order', (by, groups) => {
    const sums = totalsBy(by);
    for (const entry of entries) sums.add(entry);
    expect(sums.groups().map(([group]) => group)).toEqual([...groups]);
    expect(sums.all).toEqual(totalsOf(entries));
    expect(sums.groups().reduce((sum, [, totals]) => sum + netOf(totals), 0n)).toBe(netOf(sums.all));
  });
});

test('pence are shown as pounds', () => {
  expect([0, 5, -5, 123_456_789, 10n].map(pounds)).toEqual(['0.00', '0.05', '-0.05', '1,234,567.89', '0.10']);
});

test('no spreadsheet executes an exported text', () => {
  const stored: Transaction = {
    id: RECORDED,
    date: '2026-04-01',
    type: 'expense',
    amountPence: 123_456,
    category: null,
    description: '=HYPERLINK("x")',
    externalRef: '-a',
  };
  const texts = ['1234.56', `'=HYPERLINK("x")`, `'-a`];
  expect(exportCells(stored)).toEqual(['2026-04-01', 'expense', '', ...texts, RECORDED, '2026-04-02']);
  // An id without a time.
  const id = crypto.randomUUID();
  expect(exportCells({ ...stored, id }).slice(-2)).toEqual([id, '']);
  const rewritten = ["''=a", 'a', "'@a", "'a", "'-1", "'+1", "'\tx", "'\n=1"];
  expect(["'=a", 'a', '@a', "'a", '-1', '+1', '\tx', '\n=1'].map(withoutFormula)).toEqual(rewritten);
});

async function* eachOf(entries: readonly Transaction[]) {
  yield* entries;
}

describe('an export', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    // XLSX has `_x0001_` for a control character.
    fc.constantFrom(...'\'"=+-@\t\r\n,;|<&> a\u0001\uffff', '\r\n', '&amp;', ']]>', '_', '_x0041', '_x0041_'),
  );
  const text = fc
    .string({ unit, minLength: 1 })
    .filter((each) => !each.includes('\0') && each.isWellFormed());
  const transaction: fc.Arbitrary<Transaction> = fc.record({
    id: fc.oneof(fc.uuid({ version: 7 }), fc.uuid({ version: 4 })),
    date: fc.constantFrom('0001-01-01', '2026-04-06', '9999-12-31'),
    type: fc.constantFrom('income', 'expense'),
    amountPence: fc.integer({ min: 1, max: LARGEST }),
    category: fc.constantFrom(null, 'other'),
    description: fc.option(fc.oneof(text, fc.constant(''))),
    externalRef: fc.option(text),
  });
  const all = fc.uniqueArray(transaction, {
    minLength: 1,
    selector: ({ id, externalRef }) => externalRef ?? id,
  });

  // The page has the same rows and files of them.
  test.each([
    ['csv', 100],
    ['xlsx', 40],
    ['json', 40],
    ['ndjson', 40],
  ] as const)('as %s has every entry as it was, and nothing differs', async (format, numRuns) => {
    await fc.assert(
      fc.asyncProperty(all, async (expected) => {
        const chunks = await Array.fromAsync(exported(eachOf(expected), format));
        const bytes = await new Blob(chunks).bytes();
        const { entries, invalid } = await readImportFile(bytes);
        expect(invalid).toEqual([]);
        const read = entries.map(({ id, entry, isReferenceDerived }) => ({
          category: null,
          description: null,
          ...entry,
          id,
          ...(isReferenceDerived && { externalRef: null }),
        }));
        const differing = entries.map((each, index) => differences(each, expected[index] as Transaction));
        expect(differing.flat()).toEqual([]);
        expect(read as Transaction[]).toEqual(
          expected.map((each) => ({ ...each, description: each.description || null })),
        );
      }),
      { numRuns },
    );
  });
});

describe('CSV', () => {
  test('quotes what another separator would split, and no more than it must', () => {
    const texts = ['a;b', 'a\tb', 'a|b', 'say "x,y"', 'two\nlines', ' spaces ', '', "plain 'text'"];
    const line = `"a;b","a\tb","a|b","say ""x,y""","two\nlines"," spaces ",,plain 'text'\r\n`;
    expect(csvOf([texts])).toBe(line);
  });

  test('of a table of the ledger is read again as it was, also with the delimiter of a spreadsheet', () => {
    const text = fc.string({ unit: fc.constantFrom(...'"\',;\t|\r\n =a\ufeffé') });
    fc.assert(
      fc.property(fc.array(fc.record({ a: text, b: text })), fc.constantFrom(',', ';', '\t'), (rows, by) => {
        const csv = csvOf([['a', 'b'], ...rows.map(({ a, b }) => [a, b])]);
        const saved = by === ',' ? csv : rowsWith(by, [{ a: 'a', b: 'b' }, ...rows]);
        expect(ownTable(saved, ['a', 'b'])).toMatchObject({ records: rows.map((texts) => ({ texts })) });
      }),
    );
  });

  test('of a table of the ledger is refused if a record is damaged or a column is missing', () => {
    const tableWith = (record: string) => ownTable(`a,b\r\n"x\r\n",\r\n${record}`, ['a', 'b']);
    for (const damaged of ['1,"2', '1,2"a"2,3', '1,"a"2"', '1'])
      expect(tableWith(damaged)).toEqual({ damagedLine: 4 });
    expect(tableWith('1,2')).toMatchObject({
      records: [{ line: 2 }, { line: 4, texts: { a: '1', b: '2' } }],
    });
    expect(ownTable('a,b\r\n1,2', ['a', 'c'])).toEqual({ missing: 'c' });
  });

  test('of a report has such quotes, and no formula', async () => {
    const texts = ['=1;2', '\tx'];
    const files = [{ name: '', result: await readText('Date,Amount\n2026-04-01,5\n2026-04-02,6\n') }];
    const entries = rowsOfFiles(files, undefined).flatMap(({ parts }) => parts);
    for (const [index, { entry }] of entries.entries()) entry.externalRef = texts[index] as string;
    for (const text of texts) {
      const report = pushReport({ files, entries, repeated: [], outcomes: [], unknownIndexes: [] }, text);
      const lines = texts.map((reference, row) => `${row + 2},not sent,,"'${reference}","'${text}",,,,`);
      expect(report.split('\r\n').slice(1)).toEqual([...lines, '']);
    }
  });
});

test('a report has each row of the file, in its order', async () => {
  const result = await readText('Date,Amount\n2026-04-01,5\nx,5\n2026-04-01,0\n2026-04-02,6\n2026-04-03,7\n');
  const outcomes = [
    { status: 'created', id: '1' },
    { status: 'conflict', id: '2', fields: ['date', 'category'] },
  ] as const;
  const files = [{ name: 'a.csv', result }];
  const entries = rowsOfFiles(files, undefined).flatMap(({ parts }) => parts);
  const report = pushReport(
    { files, entries, repeated: [], outcomes, unknownIndexes: [] },
    'The service failed.',
  );
  const reference = (index: number) => entries[index]?.entry.externalRef;
  expect(reference(0)).toMatch(/^imp1-/);
  expect(report.split('\r\n')).toEqual([
    'row,status,id,reference,detail,part,source,rule,file',
    `2,created,1,${reference(0)},,,,,a.csv`,
    '3,invalid,,,"Date: This is not a date, read as day, month, year.",,,,a.csv',
    '4,skipped,,,The amount is 0.00.,,,,a.csv',
    `5,conflict,2,${reference(1)},"differs in date, category",,,,a.csv`,
    `6,not sent,,${reference(2)},The service failed.,,,,a.csv`,
    '',
  ]);
});
