/** What of a file is new, what is known, and what belongs to another source. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import type {
  ImportEntry,
  ImportResult,
  NewTransaction,
} from '../../../../clients/typescript/import/index.ts';
import {
  referenceDeriver,
  referenceWithin,
} from '../../../../clients/typescript/import/values/derived-reference.ts';
import type { Source, Transaction } from '../../../../clients/typescript/index.ts';
import { type ComparedFiles, newEntries } from '../../../../clients/typescript/match/compare.ts';
import { periodAround } from '../../../../clients/typescript/match/row.ts';
import type { Books } from '../../../../clients/typescript/match/stored-books.ts';
import { outcomesInBooks } from '../../../../clients/typescript/push/outcomes.ts';
import { runs } from '../../../fixtures/runs.ts';
import { readText } from '../import/files.ts';
import { sourceOf } from '../sources.ts';
import { compareEntries } from './pushed.ts';

setDefaultTimeout(60_000);

const [A, B, C] = [sourceOf('a'), sourceOf('b'), sourceOf('c')];

const asStored = (entry: NewTransaction, fields: Partial<Transaction> = {}): Transaction => ({
  id: `id-${entry.externalRef}`,
  category: null,
  description: null,
  externalRef: null,
  ...entry,
  ...fields,
});

/** An account in memory, which stores what is new as the service does. */
class Account {
  readonly #references = new Map<string, { stored: Transaction; source: Source }>();
  readonly #ids = new Map<string, { stored: Transaction; source: Source }>();
  readonly books: Books = { sources: [A, B, C], byReference: this.#references, byId: this.#ids };

  store(source: Source, stored: Transaction): void {
    this.#ids.set(stored.id, { stored, source });
    if (stored.externalRef !== null) this.#references.set(stored.externalRef, { stored, source });
  }

  compare(entries: readonly ImportEntry[], source: Source): ComparedFiles {
    return compareEntries(entries, this.books, source);
  }

  /** Sends what is new, up to `sentMax` entries, as a push that is interrupted. @returns how many were created */
  push(entries: readonly ImportEntry[], source: Source, sentMax?: number): number {
    const sent = newEntries(this.compare(entries, source)).slice(0, sentMax);
    for (const { entry } of sent) {
      expect(this.#references.has(entry.externalRef ?? '')).toBe(false);
      this.store(source, asStored(entry));
    }
    return sent.length;
  }
}

const rowsOf = async (...rows: string[]) =>
  (await readText(`Date,Description,Amount\n${rows.join('\n')}\n`)).entries;
const statuses = ({ entries }: ComparedFiles) => entries.map(({ matchStatus }) => matchStatus);
const RENT = '2026-10-01,Rent,900';

describe('a payment that is equal in two sources', () => {
  test('is created in each of them, and once, under a reference of version 2 in the second', async () => {
    const account = new Account();
    const rent = await rowsOf(RENT);
    expect([A, B, C, B, A, C].map((source) => account.push(rent, source))).toEqual([1, 1, 1, 0, 0, 0]);
    const first = rent[0]?.entry.externalRef ?? '';
    const others = [referenceWithin('b', first), referenceWithin('c', first)];
    expect([...account.books.byReference.keys()]).toEqual([first, ...others]);
  });

  test('is held back in the second one, if the comparison says so', async () => {
    const account = new Account();
    const rent = await rowsOf(RENT);
    account.push(rent, A);
    const compared = compareEntries(rent, account.books, B, { holdsBackEqual: true });
    expect(compared.entries).toMatchObject([
      { matchStatus: 'held back', equalElsewhere: { source: { id: 'a' } } },
    ]);
    expect(newEntries(compared)).toEqual([]);
    expect(outcomesInBooks(compared)).toMatchObject([{ status: 'elsewhere', source: { id: 'a' } }]);
  });

  test('is known by version 2 after the entry of the other source was removed', async () => {
    const account = new Account();
    const rent = await rowsOf(RENT);
    const { entry } = rent[0] as ImportEntry;
    account.store(B, asStored({ ...entry, externalRef: referenceWithin('b', entry.externalRef ?? '') }));
    expect(statuses(account.compare(rent, B))).toEqual(['known']);
    expect(statuses(account.compare(rent, A))).toEqual(['new']);
  });
});

// As `printf 'imp2\x1f…\x1f…' | sha256sum` has it.
test('version 2 of a reference never changes', () => {
  expect(
    referenceWithin('019dc8f4-7a52-7c31-9d0e-3b1f5a6c7d8e', 'imp1-0123456789abcdef0123456789abcdef'),
  ).toBe('imp2-d2ea89d19becc462c197b3b73b78e52e');
});

describe('a known entry', () => {
  test('differs in the fields that the file names; a category that it does not name is no difference', async () => {
    const account = new Account();
    const [rent] = (await rowsOf(RENT)) as [ImportEntry];
    account.store(A, asStored(rent.entry, { category: 'periodAmount' }));
    expect(statuses(account.compare([rent], A))).toEqual(['known']);
    const changed = { ...rent, entry: { ...rent.entry, category: 'other', description: 'Rent!' } };
    expect(account.compare([changed], A).entries).toMatchObject([
      { matchStatus: 'conflict', fields: ['description', 'category'], stored: { description: 'Rent' } },
    ]);
  });

  test('may have the description that an earlier reader read, and is sent with it', async () => {
    const account = new Account();
    const [rent] = (await rowsOf(RENT)) as [ImportEntry];
    account.store(A, asStored(rent.entry));
    const noted = { ...rent, entry: { ...rent.entry, description: 'Rent, June #flat' } };
    expect(statuses(account.compare([noted], A))).toEqual(['conflict']);
    const { entries: rows } = account.compare([{ ...noted, earlier: { description: 'Rent' } }], A);
    expect(rows).toMatchObject([{ matchStatus: 'known', toSend: { description: 'Rent' } }]);
    const wrong = account.compare([{ ...noted, earlier: { description: 'Rent?' } }], A);
    expect(statuses(wrong)).toEqual(['conflict']);
  });
});

describe('an entry that a file names', () => {
  test('by its own reference is not sent to a second source', async () => {
    const account = new Account();
    const { entries } = await readText('Date,Amount,externalRef\n2026-04-01,5,r1\n');
    expect([account.push(entries, A), account.push(entries, B)]).toEqual([1, 0]);
    expect(account.compare(entries, B).entries).toMatchObject([
      { matchStatus: 'elsewhere', storedIn: { id: 'a' } },
    ]);
  });

  test('by its id alone is known in its source, and never sent', async () => {
    const account = new Account();
    const stored = asStored({ date: '2026-04-01', type: 'income', amountPence: 500 }, { id: 'x' });
    account.store(A, stored);
    const { entries } = await readText(
      'date,type,amount,description,externalRef,id\n2026-04-01,income,5,,,x\n2026-04-01,income,5,,,y\n',
    );
    expect(statuses(account.compare(entries, A))).toEqual(['known', 'new']);
    expect(statuses(account.compare(entries, B))).toEqual(['elsewhere', 'new']);
  });
});

describe('the wrong source', () => {
  const FILE = [RENT, '2026-10-02,Agent,-90', '2026-10-03,Insurance,-30', '2026-11-01,Rent,900'];

  test('is recognised by more than half of the rows, of three different payments', async () => {
    const account = new Account();
    const file = await rowsOf(...FILE);
    account.push(file.slice(0, 3), A);
    expect(account.compare(file, B).wrongSource).toEqual({ source: A, equal: 3, entries: 4 });
    const larger = await rowsOf(...FILE, '2026-12-01,x,1', '2026-12-02,x,1');
    expect(account.compare(larger, B).wrongSource).toBeUndefined();
    expect(account.compare(file, A).wrongSource).toBeUndefined();
  });

  test('is not one that has the same payment each month', async () => {
    const account = new Account();
    const months = Array.from({ length: 12 }, (_, n) => `2026-${String(n + 1).padStart(2, '0')}`);
    const year = await rowsOf(
      ...months.flatMap((month) => [`${month}-01,Rent,900`, `${month}-02,Agent,-90`]),
    );
    expect(account.push(year, A)).toBe(24);
    expect(account.compare(year, B).wrongSource).toBeUndefined();
  });

  test('is recognised by the rows that this source does not have', async () => {
    const account = new Account();
    const file = await rowsOf(...FILE);
    const own = await rowsOf(...Array.from({ length: 5 }, (_, n) => `2026-09-0${n + 1},Own,5`));
    account.push(own, B);
    account.push(file, A);
    const all = [...own, ...file].map((each, row) => ({ ...each, row }));
    expect(account.compare(all, B).wrongSource).toEqual({ source: A, equal: 4, entries: 9 });
  });

  test('is recognised by the rows of several other sources, as rules have spread them', async () => {
    const account = new Account();
    const file = await rowsOf(...FILE);
    for (const [index, source] of [A, B, A].entries()) account.push(file.slice(index, index + 1), source);
    expect(account.compare(file, C).wrongSource).toEqual({ source: A, equal: 2, entries: 4 });
  });

  test('is recognised in a source that has the rows under version 2', async () => {
    const account = new Account();
    const file = await rowsOf(...FILE);
    for (const [index, source] of [A, B, A, B].entries()) account.push(file.slice(index, index + 1), source);
    account.push(file, C);
    expect(account.push(file, C)).toBe(0);
    account.push(file, B);
    // Both versions count: A has two of these rows, B and C have all.
    expect(account.compare(file, sourceOf('d')).wrongSource).toMatchObject({ equal: 4, entries: 4 });
  });
});

test('the books are read for the period of the file, or all of them if a row has an id', async () => {
  const rows = await rowsOf('2026-11-01,Rent,900', RENT, '2026-12-01,Rent,900');
  const periodWith = (entries: readonly ImportEntry[]) => {
    const statements = [{ rows: rows.map(({ row, entry }) => ({ row, date: entry.date })) }];
    return periodAround([{ name: 'a.csv', result: { entries, statements } as unknown as ImportResult }]);
  };
  const [first] = rows as [ImportEntry];
  expect(periodWith(rows)).toEqual({ from: '2026-09-26', to: '2026-12-06' });
  expect(periodWith([])).toEqual({ from: '2026-09-26', to: '2026-12-06' });
  const corrected = { ...first, entry: { ...first.entry, date: '2027-01-01' } };
  expect(periodWith([corrected, ...rows])).toEqual({ from: '2026-09-26', to: '2027-01-06' });
  expect(periodWith([...rows, { ...first, id: 'x' }])).toEqual({});
});

const anyRow = fc.record({
  day: fc.integer({ min: 1, max: 4 }),
  pence: fc.constantFrom(500, 600),
  text: fc.constantFrom('', 'a', 'b'),
});
type Row = typeof anyRow extends fc.Arbitrary<infer Each> ? Each : never;
const dateOf = (day: number) => `2026-10-0${day}`;
const read = async (rows: readonly Row[], text = 'Description') => {
  const lines = rows.map(({ day, pence, text }) => `${dateOf(day)},${text},${pence / 100}`);
  // A person has said that rows again are payments.
  const kept = Object.fromEntries(rows.map((_, index) => [index + 2, 'keep' as const]));
  return (await readText([`Date,${text},Money out`, ...lines, ''].join('\n'), { rowMeanings: kept })).entries;
};

test('each row of each source is stored once, whatever was pushed before, in any order and in part', async () => {
  const rows = fc.array(anyRow, { maxLength: 8 });
  const pushes = fc.array(
    fc.record({
      isFirst: fc.boolean(),
      lastDay: fc.nat(4),
      sentMax: fc.nat(8),
      isReversed: fc.boolean(),
    }),
    { maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(rows, rows, pushes, async (first, second, all) => {
      const account = new Account();
      for (const { isFirst, lastDay, sentMax, isReversed } of all) {
        const part = (isFirst ? first : second).filter(({ day }) => day <= lastDay);
        account.push(await read(isReversed ? part.toReversed() : part), isFirst ? A : B, sentMax);
      }
      const sources = [[first, A] as const, [second, B] as const];
      for (const [list, source] of sources) account.push(await read(list), source);
      for (const [list, source] of sources) {
        expect(account.push(await read(list), source)).toBe(0);
        const stored = [...account.books.byId.values()].filter((each) => each.source === source);
        const lines = stored.map(({ stored: { date, amountPence, description } }) =>
          [date, amountPence, description ?? ''].join(),
        );
        const expected = list.map(({ day, pence, text }) => [dateOf(day), pence, text].join());
        expect(lines.sort()).toEqual(expected.sort());
      }
    }),
    { numRuns: runs(200) },
  );
});

test('a list whose first rows an earlier version stored without descriptions has each row once, however it grows', async () => {
  const rows = fc.array(anyRow, { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(rows, fc.nat(10), fc.nat(10), async (all, old, more) => {
      const account = new Account();
      const derive = referenceDeriver();
      for (const { day, pence } of all.slice(0, old)) {
        const content = { date: dateOf(day), type: 'expense' } as const;
        const externalRef = derive({ ...content, account: '', pence, description: '' });
        account.store(A, asStored({ ...content, amountPence: pence, externalRef }));
      }
      for (const part of [all.slice(0, Math.max(old, more, 1)), all, all]) {
        const entries = await read(part, 'Spent on');
        const { entries: compared } = account.compare(entries, A);
        const ids = compared.flatMap((entry) => ('stored' in entry ? entry.stored.id : []));
        expect(new Set(ids).size).toBe(ids.length);
        expect(compared.filter(({ matchStatus }) => !/new|known/.test(matchStatus))).toEqual([]);
        account.push(entries, A);
        expect(account.books.byId.size).toBe(part.length);
      }
    }),
    { numRuns: runs(200) },
  );
});
