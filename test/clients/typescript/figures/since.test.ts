/** The changes of figures since an earlier document: explained to the penny, and no document is compared that does not fit. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { OwnFileError } from '../../../../clients/typescript/export/own-file-error.ts';
import { documentOfFigures } from '../../../../clients/typescript/figures/document.ts';
import { earlierSnapshot } from '../../../../clients/typescript/figures/earlier.ts';
import { differencesOf } from '../../../../clients/typescript/figures/explanation.ts';
import type { BusinessFigures, RefundOf } from '../../../../clients/typescript/figures/period-figures.ts';
import {
  cumulativeDays,
  type Quarter,
  type Quarters,
} from '../../../../clients/typescript/figures/periods.ts';
import { changesSince, type FigureChange } from '../../../../clients/typescript/figures/since.ts';
import { snapshotOf } from '../../../../clients/typescript/figures/snapshot.ts';
import { yearFigures } from '../../../../clients/typescript/figures/year.ts';
import type { Source, StoredEntry, Transaction } from '../../../../clients/typescript/index.ts';
import type { Json } from '../../../fixtures/client.ts';
import { sourceOf } from '../sources.ts';

type Entry = Omit<Transaction, 'id' | 'description' | 'externalRef'> & { source: number };

interface Books {
  sources: Source[];
  entries: Map<string, Entry>;
  quarter: Quarter;
  /** Whether the rules set refunds against a category, and state that the entries of `joint` are a share. */
  hasRefunds: boolean;
  areShare: boolean;
  /** Of `joint`, up to the first day of the year. 0: none. */
  statedPence: number;
}

const SOURCES = [
  sourceOf('flat'),
  sourceOf('joint', { sharePercent: 50 }),
  sourceOf('paris', { type: 'foreign-property', countryCode: 'FR', sharePercent: 33.3333 }),
  sourceOf('shop', { type: 'self-employment' }),
];
const OTHER = { type: 'income', category: 'other' } as const;
const refundOf: RefundOf = ({ stored: { type } }) =>
  type === 'income' ? { type: 'expense', category: 'other' } : undefined;

function figuresOf(books: Books, quarters: Quarters = 'standard', start = 2026) {
  const { sources, entries, quarter, hasRefunds, areShare, statedPence } = books;
  const { from, to } = cumulativeDays(start, quarter, quarters);
  const byId = new Map<string, StoredEntry>();
  for (const [id, { source, ...entry }] of entries) {
    const stored = { id, ...entry, description: `of ${id}`, externalRef: null };
    if (entry.date >= from && entry.date <= to) byId.set(id, { stored, source: sources[source] as Source });
  }
  const year = yearFigures(
    { sources, byId },
    { start, quarter, quarters, lastYear: undefined, today: to },
    {
      entriesAre: ({ id }) => (areShare && id === 'joint' ? 'share' : undefined),
      sumsOf: ({ id }) =>
        id === 'joint' && statedPence !== 0
          ? { to: '2026-04-06', sums: [{ ...OTHER, pence: BigInt(statedPence) }] }
          : undefined,
      ...(hasRefunds && { refundOf }),
    },
  );
  return { year, snapshot: snapshotOf(year, byId) };
}
const textOf = (books: Books, ...of: [Quarters?, number?]) => {
  const { year, snapshot } = figuresOf(books, ...of);
  return JSON.stringify(documentOfFigures(year, snapshot, null));
};
const presentOf = (books: Books, source: string | null = null) => ({
  year: figuresOf(books).year,
  sources: books.sources,
  source,
});
function compared(before: Books, now: Books) {
  const earlier = earlierSnapshot(textOf(before), presentOf(now));
  return { earlier, changes: changesSince(earlier, figuresOf(now).snapshot) };
}

const EMPTY: Books = {
  ...{ sources: SOURCES, entries: new Map(), quarter: 1 },
  ...{ hasRefunds: false, areShare: false, statedPence: 0 },
};
const rent: Entry = {
  source: 0,
  type: 'income',
  category: 'periodAmount',
  amountPence: 100,
  date: '2026-05-01',
};
const withEntries = (entries: Record<string, Partial<Entry>>, more: Partial<Books> = {}): Books => ({
  ...EMPTY,
  ...more,
  entries: new Map(Object.entries(entries).map(([id, entry]) => [id, { ...rent, ...entry }])),
});

describe('an explanation', () => {
  const anyEntry = fc.record({
    source: fc.constantFrom(0, 1, 1, 2, 2, 3),
    type: fc.constantFrom('income', 'income', 'expense'),
    category: fc.constantFrom(null, 'other', 'other', 'other', 'of another day'),
    amountPence: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 10_000_000_000 })),
    date: fc.constantFrom('2026-04-05', '2026-04-06', '2026-07-05', '2026-07-06', '2026-10-05', '2027-04-06'),
  }) as fc.Arbitrary<Entry>;
  const anyChange = fc.oneof(
    fc.constant({}),
    fc.constant(undefined),
    fc.record({ category: fc.constantFrom(null, 'other', 'travelCosts') }),
    anyEntry,
  );
  /** Entries before, each with its change until now: undefined removes it. */
  const anyEntries = fc.array(fc.tuple(fc.option(anyEntry), anyChange, anyEntry), { maxLength: 12 });
  const facts = fc.record({
    sources: fc
      .tuple(fc.constantFrom(0, 12.5, 50), fc.constantFrom(33.3333, 66.6667), fc.constantFrom('FR', 'IT'))
      .map(([joint, paris, countryCode]) => [
        ...[SOURCES[0], { ...SOURCES[1], sharePercent: joint }],
        ...[{ ...SOURCES[2], sharePercent: paris, countryCode }, SOURCES[3]],
      ]) as fc.Arbitrary<Source[]>,
    hasRefunds: fc.boolean(),
    areShare: fc.boolean(),
    statedPence: fc.constantFrom(0, 0, 701, -33),
  });
  const history = fc.record({
    entries: anyEntries,
    was: facts,
    is: fc.option(facts, { nil: undefined }),
    quarters: fc.constantFrom<[Quarter, Quarter]>([1, 1], [1, 2], [2, 4]),
  });

  /** `business type category` and its two amounts. */
  const linesOf = (figures: readonly BusinessFigures[]) =>
    new Map(
      figures.flatMap(({ type, countryCode, name, lines }) =>
        lines.map((line) => [
          [type, countryCode, name, line.type, line.category].join(),
          [line.pence, line.penceIfWhole],
        ]),
      ),
    );
  const keyOf = ({ business: { type, countryCode, name }, ...change }: FigureChange) =>
    [type, countryCode, name, change.type, change.category].join();

  test('adds up to the difference of each figure and of its share, over every history', () => {
    fc.assert(
      fc.property(history, ({ entries, was: facts, is: later, quarters: [first, second] }) => {
        const before: Books = { ...EMPTY, ...facts, entries: new Map(), quarter: first };
        const books: Books = { ...before, ...later, entries: new Map(), quarter: second };
        for (const [index, [entry, change, other]] of entries.entries()) {
          if (entry) before.entries.set(`${index}`, entry);
          if (change) books.entries.set(`${index}`, { ...(entry ?? other), ...change });
        }
        const { earlier, changes } = compared(before, books);
        const [was, is] = [before, books].map((each) =>
          linesOf(figuresOf(each).year.periods.at(-1)?.businesses ?? []),
        );
        const left = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
        for (const change of changes) {
          const key = keyOf(change);
          const [{ pence, sharePence }, now] = [change.before, change.now];
          expect([pence, sharePence]).toEqual(was?.get(key) ?? [0n, 0n]);
          expect([now.pence, now.sharePence]).toEqual(is?.get(key) ?? [0n, 0n]);
          const parts = differencesOf(change, earlier.to, { pounds: String });
          expect(parts.reduce((sum, part) => sum + part.pence, pence)).toBe(now.pence);
          expect(parts.reduce((sum, part) => sum + part.sharePence, sharePence)).toBe(now.sharePence);
          left.delete(key);
        }
        // A figure without a change is the same.
        for (const key of left) expect(is?.get(key)).toEqual(was?.get(key) as [bigint, bigint]);
      }),
    );
  }, 60_000);

  test('names each entry with its change; entries of new days are one sum', () => {
    const same = { same: {}, refund: { category: null, amountPence: 7 } };
    const wrong = { type: 'expense', category: 'other', amountPence: 1_000 } as const;
    const before = withEntries({
      ...same,
      gone: {},
      open: { category: null },
      corrected: {},
      moved: {},
      wrong,
    });
    const now = withEntries(
      {
        ...same,
        open: {},
        corrected: { amountPence: 150 },
        moved: { source: 1 },
        wrong: { ...wrong, category: 'travelCosts' },
        late: { date: '2026-04-06' },
        new: { date: '2026-07-06' },
        'new too': { date: '2026-07-07', amountPence: 3 },
      },
      { quarter: 2, hasRefunds: true },
    );
    const { earlier, changes } = compared(before, now);
    const texts = changes.map((change) => {
      const differences = differencesOf(change, earlier.to, { pounds: String });
      const parts = differences.map(({ pence, because }) => `${because}: ${pence}`);
      return [change.category, change.before.pence, change.now.pence, ...parts.toSorted()];
    });
    expect(texts).toEqual([
      [
        ...['periodAmount', 400n, 653n],
        '2 entries after 2026-07-05: 103',
        '2026-04-06 of late (added): 100',
        '2026-05-01 of corrected (its amount was 100): 50',
        '2026-05-01 of gone (removed, or its date is outside of the period or within stated sums): -100',
        '2026-05-01 of moved (is now in joint): -100',
        '2026-05-01 of moved (was in flat): 100',
        '2026-05-01 of open (was without a category): 100',
      ],
      ['travelCosts', 0n, 1_000n, '2026-05-01 of wrong (was other): 1000'],
      [
        ...['other', 1_000n, -7n],
        '2026-05-01 of refund (was without a category): -7',
        '2026-05-01 of wrong (is now travelCosts): -1000',
      ],
    ]);
  });
});

describe('a document', () => {
  const books = withEntries({ a: {}, b: { source: 1, category: null } });
  const text = textOf(books);
  const edited = (edit: (document: Json, entries: Json[], source: Json) => unknown) => {
    const document = JSON.parse(text);
    edit(document, document.entries, document.periods[1].businesses[0].sources[0]);
    return JSON.stringify(document);
  };
  const others = SOURCES.map((each) => ({ ...each, id: `other ${each.id}` }));
  const DAMAGED = 'is damaged or was edited: take the file as `ledger figures --json` wrote it';

  test('of all sources is compared with the figures of one of them by the entries of that one', () => {
    const { sources, entries } = earlierSnapshot(text, presentOf(books, 'joint'));
    expect([sources.map(({ id }) => id), [...entries.keys()]]).toEqual([['joint'], ['b']]);
  });

  test('of a version before stated sums is compared, and one with sums and no entry', () => {
    const before = JSON.parse(text, (name, value) => (name === 'statedPence' ? undefined : value));
    expect(earlierSnapshot(JSON.stringify(before), presentOf(books)).entries.size).toBe(2);
    const stated = { ...EMPTY, statedPence: 700 };
    const { changes } = compared(stated, EMPTY);
    expect(changes.map(({ before, now, stated }) => [before.pence, now.pence, stated.length])).toEqual([
      [700n, 0n, 1],
    ]);
    expect(earlierSnapshot(textOf(stated), presentOf(stated)).entries.size).toBe(0);
  });

  test.each<[string, string, string]>([
    ['cut', text.slice(0, -1), DAMAGED],
    ['of another kind', '[]', 'is not the document of `ledger figures --json`'],
    ['without entries', edited((it) => delete it.version), 'is of an earlier version of `ledger`'],
    ['of a later version', edited((it) => it.version++), 'is of a later version of `ledger`: install'],
    ['of another year', textOf(books, 'standard', 2025), 'is of the tax year 2025-26, and these'],
    ['of calendar quarters', textOf(books, 'calendar'), 'has quarters from 1 April, and these figures have'],
    ['of a later quarter', textOf({ ...books, quarter: 2 }), 'goes to 2026-10-05, beyond 2026-07-05: choose'],
    ['of another beginning', text.replaceAll('2026-04-06', '2026-04-01'), 'begins on 2026-04-01, and these'],
    ['of one source', text.replace('"source":null', '"source":"joint"'), 'is of one source alone'],
    ['of another account', textOf({ ...books, sources: others }), 'is of another account: none of'],
    ['with another amount', edited((_, [a]) => a.amountPence++), `${DAMAGED}. In it periodAmount of flat`],
    ['with another share', edited((_, __, it) => it.sharePercent--), DAMAGED],
    [
      'with another stated sum',
      edited((_, __, it) => it.lines.push({ ...it.lines[0], statedPence: 1 })),
      DAMAGED,
    ],
    ['with a lost entry', edited((_, entries) => entries.shift()), DAMAGED],
    ['with another category', edited((_, [a]) => Object.assign(a, { category: 'other' })), DAMAGED],
    ['without periods', edited((it) => Object.assign(it, { periods: [] })), DAMAGED],
    ['with a share in words', edited((_, __, it) => Object.assign(it, { sharePercent: '50' })), DAMAGED],
  ])('%s is refused', (_, document, message) => {
    const read = () => earlierSnapshot(document, presentOf(books));
    expect(read).toThrow(OwnFileError);
    expect(read).toThrow(message);
  });
});
