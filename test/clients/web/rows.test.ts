/** The model of the import page: rows, edits, totals and the plan of an import, without a browser. */

import { describe, expect, test } from 'bun:test';
import type { ImportOptions, ImportResult, RowCorrection } from '../../../clients/typescript/import/index.ts';
import { readImportFile } from '../../../clients/typescript/import/index.ts';
import type { Source, Transaction } from '../../../clients/typescript/index.ts';
import { compare, mergeFiles } from '../../../clients/typescript/match/compare.ts';
import { NO_DECISIONS } from '../../../clients/typescript/match/decision.ts';
import { withAddedFiles } from '../../../clients/web/import/added-files.ts';
import { withCorrection, withParseOptions } from '../../../clients/web/import/changes.ts';
import { fieldText, searchIn } from '../../../clients/web/import/check/field-texts.ts';
import { broughtBack, countsOfRows, isShown, tableRows } from '../../../clients/web/import/check/rows.ts';
import { createDeriver } from '../../../clients/web/import/derived-state.ts';
import { recognisedText } from '../../../clients/web/import/file/recognised-text.ts';
import { canPush, invalidRows, isWorkAtRisk } from '../../../clients/web/import/selectors.ts';
import { type FileFacts, NO_ACCOUNT, NO_FILES } from '../../../clients/web/import/state.ts';
import { plan } from '../typescript/import/plan.ts';

const CSV = `Date,Description,Amount
31/01/2026,Rent,950.00
32/01/2026,Repairs,-23.4x
15/04/2026,=HYPERLINK("http://x"),-2.50
,Total,947.50
`;
const initialState = createDeriver().stateOf({ ...NO_ACCOUNT, ...NO_FILES });
const [FILE] = withAddedFiles([], [{ name: 'a.csv', bytes: new Uint8Array() }]) as [FileFacts];
const read = (text: string, options: ImportOptions = {}) =>
  readImportFile(new TextEncoder().encode(text), {
    fileName: 'file.csv',
    map: { amount: 'Amount' },
    ...options,
  });

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
const source = (id: string): Source => ({
  id,
  type: 'uk-property',
  name: `name of ${id}`,
  countryCode: null,
  role: 'owner',
  sharePercent: 100,
  transactionCount: 0,
});

/** The books have these entries in the source `here`, and those in the source `there`. */
function compared(
  result: ImportResult,
  here: readonly Transaction[] = [],
  there: readonly Transaction[] = [],
) {
  const found = [
    ...here.map((each) => ({ stored: each, source: source('here') })),
    ...there.map((each) => ({ stored: each, source: source('there') })),
  ];
  const books = {
    sources: [source('here'), source('there')],
    byReference: new Map(found.map((each) => [each.stored.externalRef ?? '', each])),
    byId: new Map(found.map((each) => [each.stored.id, each])),
  };
  return compare([{ name: '', result }], books, {
    source: source('here'),
    decisions: NO_DECISIONS,
  });
}

/** The rows without books, or with these entries in them. */
const rowsWith = (result: ImportResult, ...parts: [Transaction[]?, Transaction[]?]) =>
  tableRows({
    files: [{ name: '', result, original: result, corrections: new Map() }],
    compared: compared(result, ...parts),
  });

describe('the rows', () => {
  test('are those of the file in its order: entries, problems by field, skipped ones with their reason', async () => {
    const rows = rowsWith(await read(CSV));
    expect(rows.map(({ row, status }) => [row, status])).toEqual([
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
    const rows = rowsWith(await read(CSV));
    expect(countsOfRows(rows)).toEqual({
      all: 4,
      problem: 1,
      probable: 0,
      new: 2,
      known: 0,
      joined: 0,
      conflict: 0,
      elsewhere: 0,
      taken: 0,
      repeated: 0,
      leftOut: 1,
    });
    expect(rows.filter((row) => isShown(row, 'problem')).map(({ row }) => row)).toEqual([3]);
    expect(rows.filter((row) => isShown(row, 'leftOut')).map(({ row }) => row)).toEqual([5]);
  });

  test('show which entries the books have, and where they differ', async () => {
    const result = await read(CSV);
    const reference = (index: number) => result.entries[index]?.entry.externalRef ?? '';
    const rows = rowsWith(result, [
      stored({ externalRef: reference(0) }),
      stored({
        id: 'e2',
        externalRef: reference(1),
        date: '2026-04-15',
        amountPence: 250,
        description: 'Else',
      }),
    ]);
    expect(rows.map(({ status }) => status)).toEqual(['known', 'problem', 'conflict', 'skipped']);
    expect(rows[2]?.note).toContain('type, description');
  });

  test('say which other source has them, and whether they are created all the same', async () => {
    const result = await read(CSV);
    const equal = stored({ externalRef: result.entries[0]?.entry.externalRef ?? null });
    expect(rowsWith(result, [], [equal])[0]).toMatchObject({
      status: 'new',
      note: 'name of there has an equal entry. This one is created too.',
    });
    const whole = await read(
      'Date,Description,Amount\n31/01/2026,Rent,950\n31/01/2026,Fee,-95\n31/01/2026,Gas,-12\n',
    );
    const copies = whole.entries.map(({ entry }) => stored({ ...entry, category: null } as Transaction));
    // The person has not said yet whether this is a file of the other source.
    expect(rowsWith(whole, [], copies)[2]?.note).toBe('name of there has an equal entry.');
    const named = await read('Date,Description,Amount,External ref\n31/01/2026,Rent,950.00,r1\n');
    expect(rowsWith(named, [], [stored({ externalRef: 'r1' })])[0]).toMatchObject({
      status: 'elsewhere',
      note: 'It is in name of there and is not imported here.',
    });
  });

  test('are found by every word of the search, in what they show', async () => {
    const find = searchIn(rowsWith(await read(CSV)), undefined);
    const found = (text: string) => find(text).map(({ row }) => row);
    expect(found('RÉNT')).toEqual([2]);
    expect(found('jan 950')).toEqual([2]);
    expect(found('2026-01-31')).toEqual([2]);
    expect(found('-23.4x')).toEqual([3]);
    expect(found('rent 23')).toEqual([]);
    expect(found(' ')).toHaveLength(4);
  });
});

describe('where rules have decided,', async () => {
  const RULES = [
    'description contains "AGENT" -> 27 Station Road / split: expense professionalFees 12 % of gross, leave out 100, rest periodAmount',
    'description is "OWN" -> leave out',
    'otherwise -> Web design / turnover',
  ];
  const result = await plan(RULES, ['2026-03-02,AGENT,836', '2026-03-04,OWN,-7', '2026-03-05,CLIENT,6']);
  const rules = RULES.join('\n');
  const rows = tableRows({
    files: [{ name: '', result, original: undefined, corrections: new Map() }],
    compared: undefined,
    rules,
  });
  const [agent, own] = rows as [(typeof rows)[0], (typeof rows)[0]];

  test('a row that is split is one row, with its whole amount and its parts', () => {
    expect(
      (['amount', 'source', 'category'] as const).map((each) => fieldText(agent, each, undefined)),
    ).toEqual([
      ...['£836.00', '27 Station Road'],
      '-£100.36 professional fees, £100.00 left out, £836.36 rent received',
    ]);
  });

  test('a row that a rule leaves out is not called skipped', () => {
    const recognised = recognisedText(result, invalidRows([result]));
    expect(recognised).toBe('CSV file, 3 rows, 2 March 2026 to 5 March 2026.');
  });

  test('a row that a rule leaves out is in their count, with the text of the rule, and can be brought back', () => {
    expect(countsOfRows(rows)).toMatchObject({ all: 3, leftOut: 1 });
    const note = 'The rule “description is "OWN" -> leave out” (line 2) leaves it out.';
    expect(own).toMatchObject({ status: 'leftOut', note });
    expect(fieldText(own, 'date', undefined)).toBe('4 Mar 2026');
    expect([broughtBack(own), broughtBack()]).toEqual([{ isLeftOut: false }, { isLeftOut: undefined }]);
  });

  test.each([
    ['station', 2],
    ['professional', 2],
    ['web design', 4],
  ])('the search finds a row by its property and by the categories of its parts: %s', (text, row) => {
    expect(searchIn(rows, undefined)(text).map((each) => each.row)).toEqual([row]);
  });
});

describe('edits', () => {
  test('make an entry of a row with problems, and leave the references of the others as the file has them', async () => {
    const correct = (state: Parameters<typeof withCorrection>[0], row: number, change: RowCorrection) =>
      withCorrection(state, [row], change);
    const corrections = ({ files }: { files: readonly FileFacts[] }) => ({
      corrections: files[0]?.corrections,
    });
    const first = correct({ ...initialState, files: [FILE] }, 3, { date: '30/01/2026' });
    const both = correct(first, 3, { amount: '23.49', type: 'expense' });
    const { entries, invalid } = await read(CSV, corrections(both));
    expect(invalid).toEqual([]);
    expect(entries[1]?.entry).toMatchObject({ date: '2026-01-30', type: 'expense', amountPence: 2349 });
    const [asInFile] = (await read(CSV)).entries;
    const edited = await read(CSV, corrections(correct(both, 2, { amount: '99.00', description: 'x' })));
    expect(edited.entries[0]?.entry).toMatchObject({ amountPence: 9900, description: 'x' });
    expect(edited.entries[0]?.entry.externalRef).toBe(asInFile?.entry.externalRef ?? '');
  });
});

describe('the state', () => {
  test('another sheet ends the edits', () => {
    const edited = { ...FILE, corrections: new Map([[2, { amount: '1' }]]) };
    expect(withParseOptions(edited, { sheet: '2' }).corrections).toEqual(new Map());
    expect(withParseOptions(edited, { decimal: ',' }).corrections).toBe(edited.corrections);
  });

  test.each([{ bank: 'monzo' }, { sheet: '2' }, { format: 'csv' }] as const)(
    'columns are those of the table that they were chosen for: another one ends the choice, %o',
    (change) => {
      const chosen = { ...FILE, parseOptions: { uses: { When: { use: 'date' } }, decimal: ',' } as const };
      expect(withParseOptions(chosen, change).parseOptions).toEqual({ decimal: ',', ...change });
      expect(withParseOptions(chosen, { decimal: '.' }).parseOptions).toMatchObject({
        uses: { When: { use: 'date' } },
      });
    },
  );

  test('a file is pushed only once it was compared with the books, and not to what seems the wrong source', async () => {
    const result = await read(CSV);
    const merged = mergeFiles([{ name: '', result }]);
    const ready = { ...initialState, merged };
    expect(canPush(ready)).toBe(false);
    const beside = compared(result);
    expect(canPush({ ...ready, compared: beside })).toBe(true);
    expect(canPush({ ...ready, compared: beside, isBusy: true })).toBe(false);
    const wrongSource = { source: source('there'), equal: 2, entries: 2 };
    const wrong = { ...beside, wrongSource };
    expect(canPush({ ...ready, compared: wrong })).toBe(false);
    expect(canPush({ ...ready, compared: wrong, isSourceConfirmed: true })).toBe(true);
    const unnamed = { file: 'b', row: 2, first: { file: 'a', row: 2 } };
    expect(canPush({ ...ready, compared: beside, merged: { ...merged, unnamed } })).toBe(false);
  });

  test.each([
    ['an open file', {}, false],
    ['edits', { files: [{ ...FILE, corrections: new Map([[2, {}]]) }] }, true],
  ])('closing the tab would lose something: %s', (_, part, isAtRisk) => {
    expect(isWorkAtRisk({ ...initialState, ...part })).toBe(isAtRisk);
  });
});
