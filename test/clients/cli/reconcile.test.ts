/** How `ledger reconcile` matches the entries of a file with stored ones. */
import { expect, test } from 'bun:test';
import { compare } from '../../../clients/cli/reconcile.ts';
import type { ReadEntry } from '../../../clients/typescript/import/index.ts';
import { referenceWithin } from '../../../clients/typescript/import/values/reference.ts';
import type { Source, Transaction } from '../../../clients/typescript/index.ts';

const SOURCE = { id: 's', name: 's' } as Source;

const content = { date: '2026-04-28', type: 'expense', amountPence: 320, description: 'Coffee' } as const;
const inFile = (row: number, fields: object = {}): ReadEntry => ({
  ...{ row, isReferenceDerived: true, account: '' },
  entry: { ...content, externalRef: `imp1-${row}`, ...fields },
});
const stored = (id: string, fields: Partial<Transaction> = {}): Transaction => ({
  ...{ id, ...content, category: null, externalRef: null, ...fields },
});

/** Rows and ids of each list. */
function compared(
  file: ReadEntry[],
  ledger: Transaction[],
  ids: Record<number, string> = {},
  isInPeriod: Parameters<typeof compare>[3] = () => true,
) {
  const entries = file.map((each) => {
    const id = ids[each.row];
    return id === undefined ? each : { ...each, id };
  });
  const located = ledger.map((each) => ({ stored: each, source: SOURCE }));
  const books = {
    sources: [SOURCE],
    byId: new Map(located.map((each) => [each.stored.id, each])),
    byReference: new Map(located.map((each) => [each.stored.externalRef ?? '', each])),
  };
  const { matched, missingInLedger, missingInFile, different } = compare(entries, books, SOURCE, isInPeriod);
  return {
    matched,
    inFileOnly: missingInLedger.map(({ row }) => row),
    inLedgerOnly: missingInFile.map(({ id }) => id),
    different: different.map(({ row, id, fields }) => `${row} ${id} ${fields.join()}`),
  };
}
const NOTHING = { matched: 0, inFileOnly: [], inLedgerOnly: [], different: [] };

const r = { externalRef: 'r' };
test.each<[string, object, object, Record<number, string>]>([
  ['content', {}, {}, {}],
  ['reference', r, r, {}],
  ['id', {}, r, { 2: 'a', 3: 'a', 4: 'a' }],
  ['id, then content', {}, {}, { 2: 'a' }],
])(
  'a stored entry is matched once by its %s: the other rows are in the file only',
  (_, file, ledger, ids) => {
    const rows = [2, 3, 4].map((row) => inFile(row, file));
    expect(compared(rows, [stored('a', ledger)], ids)).toEqual({
      ...NOTHING,
      matched: 1,
      inFileOnly: [3, 4],
    });
  },
);

test('an id goes before a reference, and a reference before content', () => {
  const ledger = [
    stored('a', { externalRef: 'imp1-2', amountPence: 1 }),
    stored('b'),
    stored('c', { date: '2026-01-01' }),
  ];
  expect(compared([inFile(2)], ledger, { 2: 'c' }).different).toEqual(['2 c date']);
  expect(compared([inFile(2)], ledger).different).toEqual(['2 a amountPence']);
});

test.each<[string, ReadEntry[], Transaction[], object]>([
  [
    'equal rows are matched with as many stored entries',
    [inFile(2), inFile(3)],
    [stored('a'), stored('b'), stored('c')],
    { matched: 2, inLedgerOnly: ['c'] },
  ],
  [
    'an entry is matched by both versions of its reference',
    [inFile(2), inFile(3)],
    [stored('a', { externalRef: 'imp1-2' }), stored('b', { externalRef: referenceWithin('s', 'imp1-3') })],
    { matched: 2 },
  ],
  [
    'a stored entry with another reference is not matched by its content',
    [inFile(2)],
    [stored('a', { externalRef: 'other' })],
    { inFileOnly: [2], inLedgerOnly: ['a'] },
  ],
])('%s', (_, rows, ledger, expected) => {
  expect(compared(rows, ledger)).toEqual({ ...NOTHING, ...expected });
});

test('each field that differs is named; a category only if the file has one', () => {
  const other = stored('a', {
    ...{ date: '2026-04-29', type: 'income', amountPence: 321, description: null },
    ...{ category: 'otherIncome', externalRef: 'imp1-2' },
  });
  const fields = 'date,type,amountPence,description';
  expect(compared([inFile(2)], [other]).different).toEqual([`2 a ${fields}`]);
  const withCategory = inFile(2, { category: 'periodAmount' });
  expect(compared([withCategory], [other]).different).toEqual([`2 a ${fields},category`]);
});

test('a stored entry outside of the period is matched, and not missed', () => {
  const early = { date: '2026-01-01' };
  const ledger = [stored('a', { ...early, externalRef: 'imp1-2' }), stored('b', early)];
  const isInPeriod = ({ date }: { date: string }) => date >= '2026-04-01';
  expect(compared([inFile(2)], ledger, {}, isInPeriod)).toEqual({ ...NOTHING, different: ['2 a date'] });
});
