/** Evidence about a row: the ids of banks, and balances. */
import { describe, expect, test } from 'bun:test';
import { compare, newEntries } from '../../../../clients/typescript/match/compare.ts';
import {
  type Decisions,
  decisionKey,
  NO_DECISIONS,
  recordIdOf,
} from '../../../../clients/typescript/match/decision.ts';
import type { FileEntry } from '../../../../clients/typescript/match/row.ts';
import { readText } from '../import/files.ts';
import { camt, camtBalance, camtEntry } from '../import/outcome.ts';
import { SOURCES } from '../import/plan.ts';
import { ALL, booksOf, compared, fileOf, NUMBERED } from './files.ts';
import { probablyOf, pushed, statusAndFields } from './pushed.ts';

describe('the id of a bank', () => {
  const options = { header: NUMBERED };
  const now = async (row: string) => {
    const books = await booksOf(['2026-10-10,RENT,900,1'], ALL, options);
    const { entries } = compared(books, [await fileOf('a.csv', [row], ALL, options)]);
    return entries.map(statusAndFields);
  };
  test.each([
    ['2026-10-10,RENT,900,1', 'known '],
    ['2026-10-13,RENT OCTOBER,900,1', 'conflict date,description'],
    ['2026-10-10,RENT,950,1', 'conflict amountPence'],
    ['2026-10-10,SHOP,-7,1', 'taken '],
    ['2026-11-10,RENT,900,1', 'taken '],
  ])('is a payment if date, and amount or description, agree: %s', async (row, expected) => {
    expect(await now(row)).toEqual([expected]);
  });

  test('that two files of a run have for two payments names both, and later pushes find them', async () => {
    const files = [
      await fileOf('a.csv', ['2026-10-02,RENT,950,1001'], ALL, options),
      await fileOf('b.csv', ['2026-11-02,RENT,950,1001'], ALL, options),
    ];
    const all = compared(pushed([]), files);
    const sent = newEntries(all);
    expect([all.repeated, new Set(sent.map(({ entry }) => entry.externalRef)).size]).toEqual([[], 2]);
    for (const read of [files, files.slice(0, 1), files.slice(1)]) {
      const again = compared(pushed(sent), read).entries;
      expect(again.map(({ matchStatus }) => matchStatus)).toEqual(read.map(() => 'known'));
    }
  });
});

describe('a balance', () => {
  const HEADER = 'Date,Description,Amount,Balance';
  const options = { header: HEADER, accountLabel: 'main' };
  const before = ['2026-10-02,RENT,950,1000', '2026-10-30,COFFEE,-3,997'];
  const closings = new Map([['main', { date: '2026-10-30', pence: 99_700 }]]);
  const statuses = async (rows: readonly string[], decisions: Decisions = NO_DECISIONS) => {
    const books = await booksOf(before, ALL, options);
    const files = [await fileOf('a.csv', rows, ALL, options)];
    const all = compare(files, books, { source: undefined, decisions, closings });
    return all.entries.map((entry) => (probablyOf(entry) ? 'asked' : entry.matchStatus));
  };

  test('that follows the closing one shows another payment of the day: it is asked about, and sent under a name of its own', async () => {
    const rows = ['2026-10-30,COFFEE,-3,994', '2026-11-05,AVIVA,-30,964'];
    expect(await statuses(rows)).toEqual(['asked', 'new']);
    const file = await fileOf('a.csv', rows, ALL, options);
    const books = await booksOf(before, ALL, options);
    const reference = file.result.entries[0]?.entry.externalRef ?? '';
    const decisions = new Map([
      [
        decisionKey(
          compared(books, [file]).entries[0] as FileEntry,
          books.byReference.get(reference)?.stored.id ?? '',
        ),
        'separate',
      ] as const,
    ]);
    expect(await statuses(rows, decisions)).toEqual(['new', 'new']);
    const decided = compare([file], books, { source: undefined, decisions, closings });
    expect(newEntries(decided)[0]?.entry.externalRef).not.toBe(reference);
  });

  test('is evidence against the default answer', async () => {
    const file = await fileOf(
      'a.csv',
      ['2026-10-30,COFFEE,-3,994', '2026-11-05,AVIVA,-30,964'],
      ALL,
      options,
    );
    const books = await booksOf(before, ALL, options);
    const decided = { source: undefined, decisions: NO_DECISIONS, all: 'same', closings } as const;
    const { matched } = compare([file], books, decided);
    expect(matched.payments.map(({ storedRow }) => storedRow)).toEqual([undefined]);
    expect(matched.questions).toHaveLength(1);
  });

  test('that goes on asks nothing at the edge, and one that breaks does', async () => {
    expect(await statuses(['2026-11-01,COFFEE,-3,994', '2026-11-05,AVIVA,-30,964'])).toEqual(['new', 'new']);
    expect(await statuses(['2026-11-01,COFFEE,-3,997', '2026-11-05,AVIVA,-30,967'])).toEqual([
      'asked',
      'new',
    ]);
  });

  test('of two files of a run shows the same', async () => {
    const files = [
      await fileOf('a.csv', before, ALL, options),
      await fileOf('b.csv', ['2026-10-30,COFFEE,-3,994', '2026-11-05,AVIVA,-30,964'], ALL, options),
    ];
    expect(newEntries(compared(pushed([]), files))).toHaveLength(4);
  });

  test('of two files of a run gives way to the decision that its two equal rows are one payment', async () => {
    const files = [
      await fileOf('a.csv', before, ALL, options),
      await fileOf('b.csv', ['2026-10-30,COFFEE,-3,994'], ALL, options),
    ];
    const coffee = compared(pushed([]), files).entries[1] as FileEntry;
    const decisions = new Map([[decisionKey(coffee, recordIdOf(coffee.whole)), 'same' as const]]);
    const { entries, repeated } = compared(pushed([]), files, decisions);
    expect(entries.map(({ matchStatus }) => matchStatus)).toEqual(['new', 'new']);
    expect(repeated).toEqual([{ file: 'b.csv', row: 2, first: { file: 'a.csv', row: 3 } }]);
  });

  test('of a statement without payments is no end: the payments after it are compared', async () => {
    const month = (number: string, entries: string, opening: string, closing: string) =>
      camt(camtBalance('OPBD', opening) + entries + camtBalance('CLBD', closing)).replaceAll(
        '2026-04-01',
        `2026-${number}-01`,
      );
    const text = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>${[
      month('04', camtEntry('1.00'), '0.00', '1.00'),
      month('05', '', '1.00', '1.00'),
      month('06', camtEntry('2.00'), '1.00', '3.00'),
    ].join('')}</BkToCstmrStmt></Document>`;
    const result = await readText(text, { sources: SOURCES, rules: ALL.join() });
    const { entries } = compared(pushed([]), [{ name: 'a.xml', result }]);
    expect(entries.map(({ entry, matchStatus }) => `${entry.date} ${matchStatus}`)).toEqual([
      '2026-04-01 new',
      '2026-06-01 new',
    ]);
  });
});
