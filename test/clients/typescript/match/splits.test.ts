/** Rows that rules split, beside the books: never stored whole and in parts, nor in the parts of two ways to split them. */
import { describe, expect, test } from 'bun:test';
import type { ReadEntry } from '../../../../clients/typescript/import/index.ts';
import { referenceWithin } from '../../../../clients/typescript/import/values/derived-reference.ts';
import type { Source } from '../../../../clients/typescript/index.ts';
import { compare, newEntries } from '../../../../clients/typescript/match/compare.ts';
import { entryElsewhere } from '../../../../clients/typescript/match/compared-entry.ts';
import { NO_DECISIONS } from '../../../../clients/typescript/match/decision.ts';
import { plan } from '../import/plan.ts';
import { compareEntries, fieldsOf, probablyOf, pushed, sources } from './pushed.ts';

const [acacia, , station, web] = sources as [Source, Source, Source, Source];

const ROWS = ['2026-10-01,Agent,836', '2026-10-01,Agent,836', '2026-11-01,Agent,836'];
const AGENT = 'description is "Agent" -> 27 Station Road';
const WHOLE = `${AGENT} / periodAmount`;
const SPLIT = `${AGENT} / split: expense professionalFees 12 % of gross, rest periodAmount`;

const named = (each: ReadEntry, externalRef: string) => ({ ...each, entry: { ...each.entry, externalRef } });
const read = async (rules: string, rows = ROWS) => (await plan(rules, rows)).entries;

/** How the entries stand beside the books that have `before`, in one letter each: new, known, conflict, split, elsewhere. */
function statuses(entries: readonly ReadEntry[], before: readonly ReadEntry[]): string {
  return compareEntries(entries, pushed(before), undefined)
    .entries.map((entry) => (fieldsOf(entry)?.includes('split') ? 's' : entry.matchStatus.charAt(0)))
    .join('');
}

test('a row that is pushed again in the same parts is known; a push that stopped between parts goes on', async () => {
  const parts = await read(SPLIT);
  expect([0, 3, 6].map((count) => statuses(parts, parts.slice(0, count)))).toEqual([
    ...['nnnnnn', 'kkknnn', 'kkkkkk'],
  ]);
});

describe('another way to split is a conflict of the whole row, of which nothing is sent:', () => {
  test('whole before, in parts now, and the reverse', async () => {
    const [whole, parts] = [await read(WHOLE), await read(SPLIT)];
    expect(statuses(parts, whole)).toBe('ssssss');
    expect(statuses(whole, parts)).toBe('sss');
    expect(newEntries(compareEntries(parts, pushed(whole), undefined))).toEqual([]);
  });

  test('other amounts with more parts or fewer', async () => {
    const two = await read(`${AGENT} / split: expense other 10, rest periodAmount`);
    const three = await read(`${AGENT} / split: expense other 10, expense travelCosts 20, rest periodAmount`);
    expect([statuses(three, two), statuses(two, three)]).toEqual(['sssssssss', 'ssssss']);
  });

  test('of one row alone leaves the others as they are', async () => {
    const [whole, parts] = [await read(WHOLE), await read(SPLIT)];
    expect(statuses(parts, whole.slice(1, 2))).toBe('nnssnn');
  });

  test('also where the books have it under a reference of version 2', async () => {
    const [whole, parts] = [await read(WHOLE), await read(SPLIT)];
    const within = (entries: readonly ReadEntry[]) =>
      entries.map((each) => named(each, referenceWithin(station.id, each.entry.externalRef ?? '')));
    expect(statuses(parts, within(whole))).toBe('ssssss');
    expect(statuses(whole, within(parts))).toBe('sss');
    expect(statuses(parts, within(parts))).toBe('kkkkkk');
  });
});

/** As they were stored when the first part had its number too. */
const numbered = (entries: readonly ReadEntry[]) =>
  entries.map((each) => named(each, `${each.rowReference}#${each.part}`));

test('the first part has the reference of the row, and one that has its number is known too', async () => {
  const parts = await read(SPLIT);
  const ends = parts.map(({ entry, rowReference = '' }) => entry.externalRef?.replace(rowReference, ''));
  expect(ends).toEqual(['', '#2', '', '#2', '', '#2']);
  expect(statuses(parts, numbered(parts))).toBe('kkkkkk');
  expect(statuses(parts, numbered(parts).slice(0, 3))).toBe('kkknnn');
  expect(statuses(await read(WHOLE), numbered(parts))).toBe('sss');
  const within = numbered(parts).map((each) =>
    named(each, referenceWithin(station.id, each.entry.externalRef ?? '')),
  );
  expect(statuses(parts, within)).toBe('kkkkkk');
  expect(statuses(parts, within.slice(0, 1))).toBe('knnnnn');
});

test('a row that is stored whole and in parts is reported by any rules', async () => {
  const [whole, parts] = [await read(WHOLE), await read(SPLIT)];
  const both = [...whole, ...numbered(parts)];
  expect(statuses(whole, both)).toBe('sss');
  expect(statuses(parts, both)).toBe('ssssss');
});

test('a row of twenty parts is split, also if the books have its last part alone', async () => {
  const twenty = `${AGENT} / split: ${'expense other 1, '.repeat(19)}rest periodAmount`;
  const [parts, whole] = [await read(twenty, ROWS.slice(0, 1)), await read(WHOLE, ROWS.slice(0, 1))];
  expect([parts.length, statuses(whole, parts.slice(-1))]).toEqual([20, 's']);
});

test('a category that was changed is a conflict of its part alone', async () => {
  const [parts, others] = [await read(SPLIT), await read(SPLIT.replace('professionalFees', 'other'))];
  expect(statuses(others, parts)).toBe('ckckck');
});

test('references of the file that end in a number are no parts, unless date and description are those of the row', async () => {
  const options = { header: 'Date,Description,Amount,Id', map: { reference: 'Id' } };
  const own = async (...rows: string[]) => (await plan(WHOLE, rows, options)).entries;
  const whole = await own('2026-10-01,Agent,836,R');
  expect(statuses(whole, await own('2026-09-01,Agent,836,R#1'))).toBe('n');
  expect(statuses(whole, await own('2026-10-01,Agent,836,R#1'))).toBe('s');
});

test('a row whose rules now name another source is in that of before, and not created twice', async () => {
  const before = await read(WHOLE.replace('27 Station Road', '12 Acacia Avenue'));
  const now = await read(WHOLE);
  expect(statuses(now, before)).toBe('eee');
  const { entries, wrongSource } = compareEntries(now, pushed(before), undefined);
  expect(entries.map((entry) => entryElsewhere(entry)?.source.id)).toEqual([acacia.id, acacia.id, acacia.id]);
  expect(wrongSource).toBeUndefined();
});

describe('a row whose parts have different sources', () => {
  const INSURANCE = 'description is "Aviva" -> split:';
  const [first, second] = ['12 Acacia Avenue / other 60', '27 Station Road / rest other'] as const;
  const ROW = ['2026-10-01,Aviva,-100'];
  const OF_TWO = `${INSURANCE} ${first}, ${second}`;

  test('gets the parts that the books lack, each once, whichever of two equal rows they are of', async () => {
    const three = `${INSURANCE} ${first}, 27 Station Road / other 10, 12 Acacia Avenue / rest other`;
    const parts = await read(three, [...ROW, ...ROW]);
    const facts = (entries: readonly ReadEntry[]) =>
      entries.map(({ entry, source }) => `${entry.externalRef} ${source?.name} ${entry.amountPence}`).sort();
    for (let stored = 0; stored < 2 ** parts.length; stored++) {
      const before = parts.filter((_, index) => stored & (1 << index));
      const sent = newEntries(compareEntries(parts, pushed(before), undefined));
      expect(facts([...before, ...sent])).toEqual(facts(parts));
    }
  });

  test('is stored in no second way: whole, in other amounts, or with parts of other sources', async () => {
    const parts = await read(OF_TWO, ROW);
    const whole = await read('description is "Aviva" -> 27 Station Road / other', ROW);
    expect([statuses(parts, whole), statuses(whole, parts)]).toEqual(['ss', 's']);
    const halves = await read(OF_TWO.replace('60', '50'), ROW);
    expect(statuses(halves, parts)).toMatch(/^[sc]{2}$/);
    const swapped = await read(`${INSURANCE} 27 Station Road / other 60, 12 Acacia Avenue / rest other`, ROW);
    expect(statuses(swapped, parts)).toBe('ee');
    const moved = await read(OF_TWO.replace('27 Station Road', '"Flat 3, Mill Lane"'), ROW);
    expect(statuses(moved, parts)).toBe('ke');
  });

  test('that was corrected is a question, whichever of its parts and sources the books have', async () => {
    const corrected = ['2026-10-01,Aviva,-110'];
    const before = await read(OF_TWO, ROW);
    const files = [{ name: 'a.csv', result: await plan(OF_TWO, corrected) }];
    const [sixty, forty] = before as [ReadEntry, ReadEntry];
    const swapped = [
      { ...sixty, source: web },
      { ...forty, source: acacia },
    ];
    for (const stored of [before, before.toReversed(), swapped, [forty]]) {
      const books = pushed(stored);
      const { entries } = compare(files, books, {
        source: undefined,
        decisions: NO_DECISIONS,
      });
      const questions = entries
        .map(probablyOf)
        .map((record) => record?.isEarlierVersion && record.stored.amountPence);
      expect(questions).toEqual([stored.length === 1 ? 4_000 : 6_000, 4_000]);
    }
  });
});
