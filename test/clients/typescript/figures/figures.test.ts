/** Figures of a quarter and of the year so far: every entry in one of them, exactly. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { StoredEntry } from '../../../../clients/typescript/books/stored-books.ts';
import { notesOf } from '../../../../clients/typescript/figures/business-notes.ts';
import { type BusinessFigures, figuresOf } from '../../../../clients/typescript/figures/figures.ts';
import {
  cumulativeDays,
  type Quarter,
  type Quarters,
  quarterDays,
  taxYearName,
  taxYearOf,
  taxYearStart,
  updatesOf,
} from '../../../../clients/typescript/figures/periods.ts';
import { lastYearQuestion, yearFigures } from '../../../../clients/typescript/figures/year.ts';
import { refundRules } from '../../../../clients/typescript/import/plan/compiled-rules.ts';
import type { Source } from '../../../../clients/typescript/index.ts';
import { CATEGORIES, ENTRY_TYPES, type SourceType } from '../../../../proto/domain.ts';
import { SOURCES as PLAN_SOURCES } from '../import/plan.ts';
import { sourceOf } from '../sources.ts';

const [ACACIA, JOINT, PARIS, LYON, ROME, SHOP, BAND] = [
  sourceOf('acacia'),
  sourceOf('joint', { sharePercent: 50 }),
  sourceOf('paris', { type: 'foreign-property', countryCode: 'FR' }),
  sourceOf('lyon', { type: 'foreign-property', countryCode: 'FR', sharePercent: 33.33 }),
  sourceOf('rome', { type: 'foreign-property', countryCode: 'IT' }),
  sourceOf('shop', { type: 'self-employment' }),
  sourceOf('band', { type: 'self-employment' }),
];
const SOURCES = [ACACIA, JOINT, PARIS, LYON, ROME, SHOP, BAND];

let ids = 0;
function entry(
  source: Source,
  type: 'income' | 'expense',
  category: string | null,
  amountPence: number,
  date = '2026-05-01',
  description: string | null = null,
): StoredEntry {
  const content = { date, type, category, amountPence, description };
  return { stored: { id: `e${++ids}`, ...content, externalRef: null }, source };
}

const YEAR = { from: '2026-04-06', to: '2027-04-05' };
const PERIOD = { ...YEAR, name: 'the year', isCumulative: true, isPart: false, businesses: [] };
/** `business: category pence share`, with `less refunds` where there are any. */
const linesOf = (figures: readonly BusinessFigures[]) =>
  figures.flatMap(({ type, countryCode, name, lines }) =>
    lines.map(({ category, pence, sharePence, refundPence }) =>
      [
        name ?? countryCode ?? type,
        category,
        pence,
        sharePence,
        ...(refundPence ? ['less', refundPence] : []),
      ].join(' '),
    ),
  );

describe('periods', () => {
  test.each<[Quarters, Quarter, string, string]>([
    ['standard', 1, '2026-04-06', '2026-07-05'],
    ['standard', 2, '2026-07-06', '2026-10-05'],
    ['standard', 3, '2026-10-06', '2027-01-05'],
    ['standard', 4, '2027-01-06', '2027-04-05'],
    ['calendar', 1, '2026-04-01', '2026-06-30'],
    ['calendar', 2, '2026-07-01', '2026-09-30'],
    ['calendar', 3, '2026-10-01', '2026-12-31'],
    ['calendar', 4, '2027-01-01', '2027-03-31'],
  ])(
    '%s quarter %d is from %s to %s, and cumulative from the beginning of the year',
    (quarters, quarter, from, to) => {
      expect(quarterDays(2026, quarter, quarters)).toEqual({ from, to });
      const start = quarters === 'standard' ? '2026-04-06' : '2026-04-01';
      expect(cumulativeDays(2026, quarter, quarters)).toEqual({ from: start, to });
    },
  );

  test('a tax year begins on the 6th of April', () => {
    const days = ['2026-04-05', '2026-04-06', '2027-01-01', '2027-04-05'];
    expect(days.map(taxYearOf)).toEqual([2025, 2026, 2026, 2026]);
  });

  test('a tax year has two years that follow each other', () => {
    expect(['2026-27', '1999-00'].map(taxYearStart)).toEqual([2026, 1999]);
    for (const wrong of ['2026-28', '2026', '26-27', '2026-2027'])
      expect(taxYearStart(wrong)).toBeUndefined();
    expect([2026, 1999, 2008].map(taxYearName)).toEqual(['2026-27', '1999-00', '2008-09']);
  });
});

describe('updates', () => {
  test.each([
    ['standard', 'standard', '2026-04-06', '2026-07-05'],
    ['calendar', 'calendar', '2026-04-01', '2026-06-30'],
    ['calendar', 'standard', '2026-04-06', '2026-06-30'],
    ['standard', 'calendar', '2026-04-01', '2026-07-05'],
  ] as const)('%s quarters after %s ones begin on %s and end on %s', (quarters, lastYear, from, to) => {
    expect(cumulativeDays(2026, 1, quarters, lastYear)).toEqual({ from, to });
  });

  test('have a deadline each, and a state of today', () => {
    const updates = updatesOf(2026, 'standard', 'standard', '2026-10-06');
    expect(updates.map(({ from, to, deadline, state }) => [from, to, deadline, state].join(' '))).toEqual([
      '2026-04-06 2026-07-05 2026-08-07 past',
      '2026-04-06 2026-10-05 2026-11-07 due',
      '2026-04-06 2027-01-05 2027-02-07 open',
      '2026-04-06 2027-04-05 2027-05-07 to come',
    ]);
    const stateOf = (today: string) => updatesOf(2026, 'calendar', 'standard', today)[0]?.state;
    const days = ['2026-04-05', '2026-04-06', '2026-06-30', '2026-07-01', '2026-08-07', '2026-08-08'];
    expect(days.map(stateOf)).toEqual(['to come', 'open', 'open', 'due', 'due', 'past']);
  });

  test('of last year are asked when an entry of 1 to 5 April would move', () => {
    const books = (date: string) => {
      const stored = { date } as StoredEntry['stored'];
      return { byId: new Map([['e', { stored, source: sourceOf('s') }]]) };
    };
    const asked = (date: string, quarters: 'standard' | 'calendar', lastYear?: 'standard') =>
      lastYearQuestion(books(date), { start: 2026, quarters, lastYear }) !== undefined;
    expect(asked('2026-04-01', 'calendar')).toBe(true);
    expect(asked('2026-04-05', 'calendar')).toBe(true);
    expect(asked('2026-04-06', 'calendar')).toBe(false);
    expect(asked('2026-04-05', 'calendar', 'standard')).toBe(false);
    expect(asked('2026-04-05', 'standard')).toBe(false);
    const { notes } = yearFigures(
      { sources: [], ...books('2026-04-05') },
      { start: 2026, quarter: 1, quarters: 'standard', lastYear: undefined, today: '2026-05-01' },
    );
    expect(notes).toEqual([expect.stringContaining('1 entry of 1 to 5 April is not in these figures')]);
  });
});

describe('figures', () => {
  test('are of all UK property together, of the property of each country, and of each business', () => {
    const figures = figuresOf(
      SOURCES,
      [
        entry(ACACIA, 'income', 'periodAmount', 90_000),
        entry(JOINT, 'income', 'periodAmount', 70_001),
        entry(PARIS, 'income', 'rentIncome', 10_000),
        entry(LYON, 'expense', 'other', 1_000),
        entry(ROME, 'income', 'rentIncome', 5),
        entry(SHOP, 'income', 'turnover', 7),
        entry(BAND, 'expense', 'adminCosts', 8),
      ],
      YEAR,
    );
    expect(linesOf(figures)).toEqual([
      'uk-property periodAmount 160001 125001',
      'FR rentIncome 10000 10000',
      'FR other 1000 333',
      'IT rentIncome 5 5',
      'shop turnover 7 7',
      'band adminCosts 8 8',
    ]);
    expect(figures[0]?.sources.map(({ source, lines }) => [source.name, lines[0]?.pence])).toEqual([
      ['acacia', 90_000n],
      ['joint', 70_001n],
    ]);
  });

  test('have the entries of both ends of the period, and no others', () => {
    const days = ['2026-07-05', '2026-07-06', '2026-10-05', '2026-10-06'];
    const entries = days.map((date) => entry(ACACIA, 'income', 'periodAmount', 1, date));
    const [uk] = figuresOf(SOURCES, entries, quarterDays(2026, 2, 'standard'));
    expect(uk?.lines[0]?.ids).toEqual([entries[1], entries[2]].map((each) => each?.stored.id ?? ''));
  });

  test('say what has no category, which is in no figure', () => {
    const entries = [
      entry(ACACIA, 'income', null, 5),
      entry(JOINT, 'expense', null, 7),
      entry(SHOP, 'income', null, 9),
    ];
    const figures = figuresOf(SOURCES, entries, YEAR);
    expect(linesOf(figures)).toEqual([]);
    const [first, second] = entries.map(({ stored }) => stored.id);
    expect(figures[0]?.withoutCategory).toEqual({
      ...{ count: 2, incomePence: 5n, expensePence: 7n },
      ids: [first ?? '', second ?? ''],
    });
  });

  test('set a refund against the category of its rule, as long as the entry has none in the app', () => {
    const sources = PLAN_SOURCES.map(({ id, name }) => sourceOf(id, { name }));
    const [acacia, mill] = sources as [Source, Source];
    const rules = `
      description contains "NO" -> leave out
      description contains "PLUMBER" and type is income -> 12 Acacia Avenue / refund of repairsAndMaintenance
    `;
    const find = refundRules(rules, PLAN_SOURCES);
    const refund = (source: Source, category: string | null, description: string) =>
      entry(source, 'income', category, 4_000, '2026-05-01', description);
    const entries = [
      entry(acacia, 'expense', 'repairsAndMaintenance', 10_000),
      refund(acacia, null, 'PLUMBER refund'),
      refund(acacia, 'otherIncome', 'PLUMBER refund'),
      refund(acacia, null, 'NO PLUMBER'),
      refund(mill, null, 'PLUMBER'),
    ];
    const [uk] = figuresOf(sources, entries, YEAR, ({ stored, source }) => find(stored, source.id));
    expect(linesOf(uk ? [uk] : [])).toEqual([
      'uk-property otherIncome 4000 4000',
      'uk-property repairsAndMaintenance 6000 6000 less 4000',
    ]);
    expect(uk?.lines[1]?.refundIds).toEqual([entries[1]?.stored.id ?? '']);
    expect(uk?.withoutCategory.count).toBe(2);
  });

  test('a category that is on no list is the last line, and said to have no field', () => {
    const entries = [entry(SHOP, 'income', 'of another day', 5), entry(SHOP, 'expense', 'otherExpenses', 7)];
    const [shop] = figuresOf([SHOP], entries, YEAR);
    expect(linesOf(shop ? [shop] : [])).toEqual(['shop otherExpenses 7 7', 'shop of another day 5 5']);
    expect(shop && notesOf(shop, PERIOD)[0]).toBe(
      'of another day has no field in the summary, and is no category of this type any more.',
    );
  });

  test('round half a penny of a share away from zero', () => {
    const shares = (pence: number, percent: number, refund = 0) => {
      const source = sourceOf('s', { sharePercent: percent });
      const entries = [
        entry(source, 'expense', 'other', pence),
        ...(refund ? [entry(source, 'income', null, refund)] : []),
      ];
      return figuresOf([source], entries, YEAR, () => ({ type: 'expense', category: 'other' }))[0]?.lines[0]
        ?.sharePence;
    };
    const all = [shares(1, 50), shares(3, 50), shares(100, 33.3333), shares(1, 50, 2), shares(1, 0)];
    expect(all).toEqual([1n, 2n, 33n, -1n, 0n]);
    expect(shares(Number.MAX_SAFE_INTEGER, 100)).toBe(BigInt(Number.MAX_SAFE_INTEGER));
  });
});

const anyEntry = fc
  .record({
    source: fc.constantFrom(...SOURCES),
    type: fc.constantFrom(...ENTRY_TYPES),
    category: fc.nat(),
    pence: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    day: fc.integer({ min: 0, max: 400 }),
  })
  .map(({ source, type, category, pence, day }) => {
    const keys = [null, ...CATEGORIES[source.type as SourceType][type].map(({ key }) => key)];
    const date = new Date(Date.UTC(2026, 2, 20 + day)).toISOString().slice(0, 10);
    return entry(source, type, keys[category % keys.length] ?? null, pence, date);
  });

const namedIn = (all: readonly BusinessFigures[]) =>
  all
    .flatMap(({ lines, withoutCategory }) => [...lines.flatMap(({ ids }) => ids), ...withoutCategory.ids])
    .sort();
const totalOf = (all: readonly Pick<BusinessFigures, 'lines'>[]) =>
  all.flatMap(({ lines }) => lines).reduce((sum, { pence }) => sum + pence, 0n);

test('the quarters add up to the year, a business to its sources, and each entry of the year is in one figure or without a category', () => {
  fc.assert(
    fc.property(
      fc.array(anyEntry, { maxLength: 60 }),
      fc.constantFrom<Quarters>('standard', 'calendar'),
      (entries, quarters) => {
        const parts = ([1, 2, 3, 4] as const).flatMap((quarter) =>
          figuresOf(SOURCES, entries, quarterDays(2026, quarter, quarters)),
        );
        const { from, to } = cumulativeDays(2026, 4, quarters);
        const year = figuresOf(SOURCES, entries, { from, to });
        const ofYear = entries.filter(({ stored: { date } }) => date >= from && date <= to);
        const ids = ofYear.map(({ stored }) => stored.id).sort();
        expect([namedIn(parts), namedIn(year)]).toEqual([ids, ids]);
        expect(totalOf(parts)).toBe(totalOf(year));
        for (const business of year) expect(totalOf(business.sources)).toBe(totalOf([business]));
      },
    ),
  );
});
