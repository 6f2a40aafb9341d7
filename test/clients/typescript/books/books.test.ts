/** Sums, exports and reports that the command and the page share. */
import { describe, expect, test } from 'bun:test';
import { exported as exportedByCommand } from '../../../../clients/cli/export.ts';
import { csvOf } from '../../../../clients/typescript/books/csv.ts';
import {
  EXPORT_COLUMNS,
  exportCells,
  withoutFormula,
} from '../../../../clients/typescript/books/export-rows.ts';
import { pounds } from '../../../../clients/typescript/books/pounds.ts';
import { reportCsv, reportRows } from '../../../../clients/typescript/books/push-report.ts';
import { countOf, netOf, totalsBy, totalsOf } from '../../../../clients/typescript/books/totals.ts';
import type { ImportResult } from '../../../../clients/typescript/import/index.ts';
import type { Transaction } from '../../../../clients/typescript/index.ts';
import { exported as exportedByPage } from '../../../../clients/web/books/export.ts';
import { reportCsv as reportOfPage } from '../../../../clients/web/import/send/report.ts';
import { readText } from '../import/files.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;
const entries = [
  { date: '2026-05-01', type: 'expense', amountPence: 250, category: 'other' },
  { date: '2026-04-30', type: 'income', amountPence: LARGEST, category: null },
  { date: '2026-04-01', type: 'income', amountPence: LARGEST },
  { date: '2026-04-02', type: 'expense', amountPence: 1, category: 'a' },
] as const;

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

const stored: Transaction = {
  id: '00000000-0000-4000-8000-000000000001',
  sourceId: 's',
  date: '2026-04-01',
  type: 'expense',
  amountPence: 123_456,
  category: null,
  description: '=HYPERLINK("x")',
  externalRef: '-a',
} as Transaction;

test('an exported row comes back as it was, and no spreadsheet executes it', async () => {
  expect(exportCells(stored)).toEqual([
    '2026-04-01',
    'expense',
    '',
    '1234.56',
    `'=HYPERLINK("x")`,
    `'-a`,
    stored.id,
  ]);
  expect(["'=a", 'a', '@a', "'a"].map(withoutFormula)).toEqual(["''=a", 'a', "'@a", "'a"]);
  const cells = exportCells(stored).map((text) => `"${text.replaceAll('"', '""')}"`);
  const { entries: read } = await readText(`${EXPORT_COLUMNS.join(',')}\n${cells.join(',')}\n`);
  expect(read[0]?.entry).toEqual({
    date: '2026-04-01',
    type: 'expense',
    amountPence: 123_456,
    description: '=HYPERLINK("x")',
    externalRef: '-a',
  });
});

describe('CSV', () => {
  const TEXTS = [
    'a;b',
    'a\tb',
    'a|b',
    ';=1+1',
    'a,b',
    'say "x;y"',
    'two\nlines',
    ' spaces ',
    '',
    "plain 'text'",
  ];
  const described = TEXTS.map((description, n) => ({
    ...stored,
    id: `id-${n}`,
    externalRef: `r${n}`,
    description,
  }));
  async function* all() {
    yield* described;
  }

  test('quotes what another separator would split, and no more than it must', () => {
    expect(csvOf([TEXTS])).toBe(
      `"a;b","a\tb","a|b",";=1+1","a,b","say ""x;y""","two\nlines"," spaces ",,plain 'text'\r\n`,
    );
  });

  test('of the command and of the page is the same, and each entry comes back', async () => {
    const ofCommand = (await Array.fromAsync(exportedByCommand(all(), 'csv'))).join('');
    expect(ofCommand).toBe(String(exportedByPage(described, 'csv')));
    for (const text of ['a;b', 'a\tb', 'a|b', ';=1+1']) expect(ofCommand).toContain(`,"${text}",`);
    const { entries } = await readText(ofCommand);
    expect(entries.map(({ entry }) => entry.description ?? '')).toEqual(TEXTS);
  });

  test('of a report has such quotes, and no formula', () => {
    const rows = ['=1;2', "'=1", 'x;y', '@a', '-1', '+1', '\tx'].map((text, row) => ({
      ...{ row, status: 'known' as const, id: '', reference: text, detail: text },
    }));
    expect(reportCsv(rows).split('\r\n')).toEqual([
      'row,status,id,reference,detail',
      `0,known,,"'=1;2","'=1;2"`,
      `1,known,,''=1,''=1`,
      '2,known,,"x;y","x;y"',
      `3,known,,'@a,'@a`,
      `4,known,,'-1,'-1`,
      `5,known,,'+1,'+1`,
      `6,known,,"'\tx","'\tx"`,
      '',
    ]);
    const push = {
      stored: { entries: [], outcomes: [] },
      elsewhere: [],
      entries: [],
      outcomes: [],
    } as unknown as Parameters<typeof reportOfPage>[1];
    const read = { skipped: [{ row: 2, reason: '=1;2' }], invalid: [] } as unknown as ImportResult;
    expect(reportOfPage(read, push)).toBe(`row,status,id,reference,detail\r\n2,skipped,,,"'=1;2"\r\n`);
  });
});

test('a report has each row of the file, in its order', async () => {
  const statement = await readText(
    'Date,Amount\n2026-04-01,5\nx,5\n2026-04-01,0\n2026-04-02,6\n2026-04-03,7\n',
  );
  const outcomes = [
    { status: 'created', id: '1' },
    { status: 'conflict', id: '2', fields: ['date', 'category'] },
  ] as const;
  const rows = reportRows(statement, outcomes, 'The service failed.');
  expect(rows.map(({ row, status, id, detail }) => [row, status, id, detail])).toEqual([
    [2, 'created', '1', ''],
    [3, 'invalid', '', 'Date: This is not a date, read as day, month, year.'],
    [4, 'skipped', '', 'The amount is 0.00.'],
    [5, 'conflict', '2', 'differs in date, category'],
    [6, 'not sent', '', 'The service failed.'],
  ]);
  expect(rows[0]?.reference).toMatch(/^imp1-/);
});
