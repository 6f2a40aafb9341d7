/** What people have decided, and what earlier pushes have stored: rows that nobody is asked about again. */

import { describe, expect, test } from 'bun:test';
import {
  decisionRows,
  decisionsCsv,
  decisionsOf,
  pairRows,
} from '../../../../clients/cli/decisions/decisions-file.ts';
import { OwnFileError } from '../../../../clients/typescript/export/own-file-error.ts';
import { compare, mergeFiles } from '../../../../clients/typescript/match/compare.ts';
import { isNew, isProbable } from '../../../../clients/typescript/match/compared-entry.ts';
import {
  type Decisions,
  decisionKey,
  NO_DECISIONS,
  type PairDecision,
} from '../../../../clients/typescript/match/decision.ts';
import type { FileEntry } from '../../../../clients/typescript/match/row.ts';
import type { Books } from '../../../../clients/typescript/match/stored-books.ts';
import { plan } from '../import/plan.ts';
import { ALL, booksOf, fileOf, NUMBERED, type Options } from './files.ts';
import { fieldsOf, probablyOf, pushed, statusAndFields } from './pushed.ts';

const OF_BANK = { header: NUMBERED };
const filesOf = async (rows: readonly string[], rules = ALL, options: Options = {}) => [
  await fileOf('a.csv', rows, rules, options),
];
const nothing = { source: undefined, decisions: NO_DECISIONS };

describe('a decision', () => {
  const BEFORE = ['2026-10-10,SHOP,-12.99', '2026-10-11,PENDING,-40.00'];
  const NOW = ['2026-10-10,SHOP,-129.90', '2026-10-12,=BOOKED,-40.00'];

  test('is asked for in a line of the file, and read from it', async () => {
    const [files, books] = [await filesOf(NOW), await booksOf(BEFORE, ALL)];
    const open = pairRows(compare(files, books, nothing));
    const csv = decisionsCsv([], open);
    expect(csv).toContain('=BOOKED');
    const answered = decisionRows(csv).map((row, index) => {
      return { ...row, decision: index === 0 ? 'leave' : 'send' };
    });
    expect(answered[1]?.description).toBe('=BOOKED');
    expect(decisionRows(decisionsCsv(answered, open))).toEqual(answered);
    const decided = compare(files, books, { source: undefined, decisions: decisionsOf(answered) });
    // The books have another amount than the row that the entry is.
    const shown = decided.entries.map((each) => [each.matchStatus, fieldsOf(each), probablyOf(each)]);
    expect(shown).toEqual([
      ['conflict', ['amountPence'], undefined],
      ['new', undefined, undefined],
    ]);
  });

  test('gives an entry to one row only, if two rows may be it', async () => {
    const [FIRST, LAST] = ['2026-10-01,FIRST,-1.00', '2026-10-31,LAST,-2.00'];
    const books = await booksOf([FIRST, '2026-10-12,SHOP,-40.00', LAST], ALL);
    const files = await filesOf([FIRST, '2026-10-10,TAXI,-40.00', '2026-10-12,SHOP,-90.00', LAST]);
    const [, taxi, shop] = mergeFiles(files).entries;
    const stored = [...books.byId.keys()][1] as string;
    const outcome = (ofTaxi?: PairDecision, ofShop?: PairDecision, byDefault?: PairDecision) => {
      const answers = [[taxi, ofTaxi] as const, [shop, ofShop] as const];
      const decisions: Decisions = new Map(
        answers.flatMap(([row, answer]) => (answer ? [[decisionKey(row as FileEntry, stored), answer]] : [])),
      );
      const { entries } = compare(files, books, { source: undefined, decisions, byDefault });
      return entries
        .slice(1, 3)
        .map((each) => (isProbable(each) ? 'open' : isNew(each) ? 'separate' : 'same'));
    };
    expect(outcome()).toEqual(['open', 'open']);
    expect(outcome(undefined, undefined, 'same')).toEqual(['open', 'open']);
    expect(outcome('separate', 'same')).toEqual(['separate', 'same']);
    expect(outcome('separate', undefined, 'same')).toEqual(['separate', 'same']);
    expect(outcome(undefined, 'same')).toEqual(['separate', 'same']);
    expect(outcome('same', 'same')).toEqual(['same', 'open']);
  });

  test.each([
    ['another category', '27 Station Road / travelCosts', '2026-10-12,BOOKED,-40.00', 'conflict category'],
    ['another source', '12 Acacia Avenue', '2026-10-11,PENDING,-400.00', 'elsewhere amountPence'],
    ['other parts', 'split: travelCosts 100.00, rest', '2026-10-11,PENDING,-400.00', 'conflict split'],
  ])('that a row is the entry leaves %s to the app', async (_, decision, row, expected) => {
    const place = decision.startsWith('split') ? `27 Station Road / ${decision}` : decision;
    const rules = ['description is "SHOP" -> 27 Station Road', `otherwise -> ${place}`];
    const files = await filesOf([BEFORE[0] ?? '', row], rules);
    const { entries } = compare(files, await booksOf(BEFORE, ALL), { ...nothing, byDefault: 'same' });
    const found = entries.slice(1).map(statusAndFields);
    expect(found).toEqual(found.map(() => expected));
    expect(found).toHaveLength(decision.startsWith('split') ? 2 : 1);
  });

  test.each([
    ['a,b\n1,2\n', 'no file of decisions'],
    [
      `${decisionsCsv([], []).trimEnd()}\r\nmaybe,a.csv,2,,,,,,,row:1%3A9,e\r\n`,
      'the decision "maybe" in row 2',
    ],
    [`${decisionsCsv([], []).trimEnd()}\r\nleave,a.csv,2,,,,,,,,e\r\n`, 'has no row id in row 2'],
  ])('is read from a file of decisions alone', (csv, message) => {
    expect(() => decisionRows(csv)).toThrow(OwnFileError);
    expect(() => decisionRows(csv)).toThrow(message);
  });
});

describe('a row that nothing decides about', () => {
  const ROWS = ['2026-10-10,UNKNOWN,-88'];
  const ASK = ['description contains "RENT" -> 27 Station Road'];
  const BY_HAND = { corrections: { 2: { source: 'Web design' } } };
  const outcome = async (books: Books, rows = ROWS) => {
    const { files, entries } = compare(await filesOf(rows, ASK), books, nothing);
    const invalid = files.flatMap(({ result }) => result.invalid);
    return [invalid.length, ...entries.map(({ matchStatus }) => matchStatus)];
  };

  test('is known if a person has assigned it before, whole or in parts', async () => {
    const { entries } = await plan(ASK, ROWS, BY_HAND);
    expect(await outcome(pushed([]))).toEqual([1]);
    expect(await outcome(pushed(entries))).toEqual([0, 'known']);
    const split = ['otherwise -> Web design / split: expense professionalFees 12 % of gross, rest turnover'];
    const rows = ['2026-10-10,UNKNOWN,88'];
    const parts = (await plan(split, rows)).entries;
    expect(await outcome(pushed(parts), rows)).toEqual([0, 'known', 'known']);
    for (const part of parts) expect(await outcome(pushed([part]), rows)).toEqual([1]);
  });

  test('is one entry, if two rows have its reference', async () => {
    const { entries } = await plan(ASK, ROWS, BY_HAND);
    const result = await plan(ASK, ROWS);
    const withoutSource = result.withoutSource.flatMap((each) => [each, { ...each, row: each.row + 1 }]);
    const files = [{ name: 'a.csv', result: { ...result, withoutSource } }];
    expect(compare(files, pushed(entries), nothing).entries).toHaveLength(1);
  });

  test.each([
    ['the category', 'Repairs and maintenance', ['known ']],
    ['another category', 'travelCosts', []],
    ['an empty category', '', ['known ']],
  ])('is known with %s of its entry in a column', async (_, category, expected) => {
    const options = { header: 'Date,Description,Amount,Category' };
    const books = await booksOf(['2026-10-10,UNKNOWN,-88,repairsAndMaintenance'], ALL, options);
    const files = await filesOf([`2026-10-10,UNKNOWN,-88,${category}`], ASK, options);
    const { entries } = compare(files, books, nothing);
    expect(entries.map(statusAndFields)).toEqual(expected);
  });

  test.each([
    ['its fields', '2026-10-10,ROOF,-88,R', '2026-10-12,GUTTER,-88,R', 'conflict date,description'],
    ['the payment of another month', '2026-10-10,ROOF,-88,R', '2026-11-10,ROOF,-88,R', 'taken '],
    ['the case of two rows with one stem', '2026-10-10,ROOF,-88,R#2', '2026-10-10,ROOF,-88,R', undefined],
    ['a number in its own reference', '2026-10-10,ROOF,-88,R#2', '2026-10-10,ROOF,-88,R#2', 'known '],
  ])('is compared with the entry that has its reference: %s', async (_, before, now, expected) => {
    const books = await booksOf([before], ALL, OF_BANK);
    const [row] = compare(await filesOf([now], ASK, OF_BANK), books, nothing).entries;
    expect(row && statusAndFields(row)).toBe(expected as string);
  });
});

test('a left out row is not stored as the entry of another row, whose reference ends like that of a part', async () => {
  const rows = ['2026-10-01,ROOF 1,-50,R', '2026-10-08,ROOF 2,-60,R#2'];
  const files = await filesOf(rows, ['description is "ROOF 1" -> leave out', ...ALL], OF_BANK);
  const { leftOutAndStored } = compare(files, await booksOf(rows, ALL, OF_BANK), nothing);
  expect(leftOutAndStored).toMatchObject([{ storedEntries: [{ stored: { externalRef: 'R' } }] }]);
});

test('a row that rules leave out today, and that the books have, is named', async () => {
  const rows = ['2026-10-01,COUNCIL TAX,-178.50', '2026-10-02,RENT,900'];
  const rules = ['description contains "COUNCIL" -> leave out', ...ALL];
  const { leftOutAndStored } = compare(await filesOf(rows, rules), await booksOf(rows, ALL), nothing);
  expect(leftOutAndStored).toMatchObject([
    { row: 2, rule: 1, storedEntries: [{ stored: { amountPence: 17_850 } }] },
  ]);
  expect(compare(await filesOf(rows, rules), await booksOf(rows, rules), nothing).leftOutAndStored).toEqual(
    [],
  );
});

test('a row that two files have with different amounts is compared twice, and never counted once', async () => {
  const rows = ['2026-10-01,SHOP,-1.00,F1', '2026-10-03,SHOP,-52.37,F1'];
  const files = rows.map((row, index) => fileOf(`${index}.csv`, [row], ALL, OF_BANK));
  const joined = mergeFiles(await Promise.all(files));
  expect([joined.entries.length, joined.repeated]).toEqual([2, []]);
});
