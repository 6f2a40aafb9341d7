/**
 * Quarterly updates of random books against a model, and against HMRC's rules as hmrc-facts.json has them: each summary is valid, or each violation is reported
 * with its entries. HMRC_RUNS sets how many books; it was 10,000 for the rules of 2026-27.
 */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { notesOf, refusalsOf } from '../../../../clients/typescript/figures/business-notes.ts';
import type { BusinessFigures } from '../../../../clients/typescript/figures/figures.ts';
import { cumulativeDays, QUARTERS } from '../../../../clients/typescript/figures/periods.ts';
import { statedFacts } from '../../../../clients/typescript/figures/stated-facts.ts';
import { TOTALS, totalOf } from '../../../../clients/typescript/figures/totals.ts';
import { updateContent } from '../../../../clients/typescript/figures/update.ts';
import { violationsOf } from '../../../../clients/typescript/figures/violations.ts';
import { type PeriodFigures, yearFigures } from '../../../../clients/typescript/figures/year.ts';
import type { StoredEntry } from '../../../../clients/typescript/match/stored-books.ts';
import { CATEGORIES, type SourceType } from '../../../../proto/domain.ts';
import { sourceOf } from '../sources.ts';
import {
  added,
  amountsOf,
  expectedAmounts,
  expectedTotals,
  expectedViolations,
  type ModelEntry,
  type ModelSource,
  modelDays,
  refundSums,
  sourceSums,
  turnoverOf,
} from './hmrc-model.ts';

const SHARES = [100, 50, 33.3333, 0.5];
const [UK_TYPE, FOREIGN_TYPE, TRADE] = ['uk-property', 'foreign-property', 'self-employment'] as const;
const SOURCES = [...[UK_TYPE, UK_TYPE, UK_TYPE, FOREIGN_TYPE, FOREIGN_TYPE, FOREIGN_TYPE, TRADE, TRADE]].map(
  (type, index) => {
    const countryCode = type === FOREIGN_TYPE ? (index < 5 ? 'FR' : 'IT') : null;
    return { id: `s${index}`, name: `Source ${index}`, type, countryCode };
  },
);

const KEYS = [
  ...new Set(
    Object.values(CATEGORIES).flatMap((set) => [...set.income, ...set.expense].map(({ key }) => key)),
  ),
];
const REFUND_RULES = KEYS.map((key) => `description is "refund ${key}" -> refund of ${key}`);
const categoriesOf = (type: SourceType) => ({
  income: [...CATEGORIES[type].income],
  expense: [...CATEGORIES[type].expense],
});

const anyEntry = fc.record({
  source: fc.nat(SOURCES.length - 1),
  side: fc.constantFrom('income' as const, 'expense' as const),
  kind: fc.constantFrom('category', 'category', 'refund', 'sorted refund', 'none'),
  category: fc.nat(),
  pence: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 1, max: 300_000 }) },
    { weight: 20, arbitrary: fc.integer({ min: 1, max: 6_000_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 4_000_000_000_000, max: 11_000_000_000_000 }) },
  ),
  day: fc.oneof(
    fc.integer({ min: 0, max: 760 }),
    fc.integer({ min: 5, max: 18 }),
    fc.integer({ min: 370, max: 383 }),
  ),
});
const anyBooks = fc.record({
  shares: fc.array(fc.constantFrom(...SHARES), { minLength: SOURCES.length, maxLength: SOURCES.length }),
  said: fc.array(fc.constantFrom('whole' as const, 'share' as const, undefined), {
    minLength: SOURCES.length,
    maxLength: SOURCES.length,
  }),
  drawn: fc.array(anyEntry, { maxLength: 40, size: 'max' }),
  start: fc.constantFrom(2025, 2026),
  quarter: fc.constantFrom(...QUARTERS),
  quarters: fc.constantFrom('standard' as const, 'calendar' as const),
  lastYear: fc.constantFrom('standard' as const, 'calendar' as const),
});
type Books = typeof anyBooks extends fc.Arbitrary<infer T> ? T : never;

/** The entries for the model. */
const entriesOf = ({ drawn }: Books): ModelEntry[] =>
  drawn.map(({ source, side, kind, category, pence, day }, index) => {
    const { id, type } = SOURCES[source] as (typeof SOURCES)[number];
    const date = new Date(Date.UTC(2025, 2, 25 + day)).toISOString().slice(0, 10);
    const keyOf = (of: 'income' | 'expense') => {
      const keys = CATEGORIES[type][of];
      return keys[category % keys.length]?.key ?? '';
    };
    const entry = { id: `e${index}`, source: id, date, side, pence };
    const refundOf = keyOf(side === 'income' ? 'expense' : 'income');
    const isSorted = kind === 'category' || kind === 'sorted refund';
    return {
      ...entry,
      category: isSorted ? keyOf(side) : null,
      ...(kind.endsWith('refund') && { refundOf }),
    };
  });

/** The product's figures of the same books. */
function figuresOf(books: Books, entries: readonly ModelEntry[]) {
  const sources = SOURCES.map((each, index) =>
    sourceOf(each.id, { ...each, sharePercent: books.shares[index] ?? 100 }),
  );
  const byId = new Map(
    entries.map(({ id, source, date, side, category, refundOf, pence }): [string, StoredEntry] => {
      const description = refundOf === undefined ? null : `refund ${refundOf}`;
      const stored = { id, date, type: side, category, amountPence: pence, description, externalRef: null };
      return [id, { stored, source: sources.find((each) => each.id === source) ?? sourceOf('none') }];
    }),
  );
  const statements = books.said.flatMap((said, index) =>
    said ? [`entries of "Source ${index}" are ${said === 'whole' ? 'of the whole' : 'my share'}`] : [],
  );
  const plan = sources.map(({ id, name, type }) => ({
    id,
    name,
    categories: categoriesOf(type as SourceType),
  }));
  const facts = statedFacts([...REFUND_RULES, ...statements].join('\n'), plan);
  return yearFigures({ sources, byId }, { ...books, today: '2026-11-27' }, facts);
}

const nameOf = ({ type, countryCode, name }: BusinessFigures) =>
  name ?? `${type} ${countryCode ?? ''}`.trim();
const isForeign = (type: string) => type === 'foreign-property';

function check(books: Books): void {
  const entries = entriesOf(books);
  const model: ModelSource[] = SOURCES.map((each, index) => {
    return { ...each, sharePercent: books.shares[index] ?? 100, said: books.said[index] };
  });
  const period = figuresOf(books, entries).periods.at(-1);
  if (!period) throw new Error('There is no year so far.');
  const { start, quarter, quarters, lastYear } = books;
  const days = modelDays(start, quarter, quarters === 'calendar', lastYear === 'calendar');
  expect([period.from, period.to]).toEqual([...days]);
  expect(period.businesses.map(nameOf)).toEqual([
    ...['uk-property', 'foreign-property FR', 'foreign-property IT', 'Source 6', 'Source 7'],
  ]);
  for (const [amount, assumed] of [
    ['asSharePence', 'share'],
    ['sharePence', 'whole'],
  ] as const) {
    const sumsOf = (each: ModelSource) => sourceSums(each, entries, days, assumed);
    for (const business of period.businesses) {
      const { type } = business;
      const own = model.filter(({ id }) => business.sources.some(({ source }) => source.id === id));
      const itemsOf = (sums: readonly Record<string, bigint>[]) =>
        isForeign(type) && start >= 2026 ? sums : [added(sums)];
      const totals = TOTALS.map((total) => totalOf(total, type, business.lines, (line) => line[amount]));
      expect(totals).toEqual(expectedTotals(type, added(own.map(sumsOf))));
      const refunds = own.map((each) => refundSums(each, entries, days));
      for (const line of business.lines)
        expect(line.refundSharePence).toBe(added(refunds)[`${line.type} ${line.category}`] ?? 0n);
      const content = updateContent(business, period, amount);
      const joint = own.map((each) => {
        const sums = Object.entries(sumsOf(each));
        const isLeft = ([key]: [string, bigint]) => each.sharePercent === 100 || key.startsWith('income');
        return Object.fromEntries(sums.filter(isLeft));
      });
      for (const [shown, sums, isConsolidated] of [
        [content, own.map(sumsOf), false],
        [content.consolidated, own.map(sumsOf), true],
        ...(content.jointlyLet ? [[content.jointlyLet, joint, false] as const] : []),
      ] as const) {
        const summary = JSON.parse(JSON.stringify(shown.summary));
        const { periodStartDate = summary.fromDate, periodEndDate = summary.toDate } =
          summary.periodDates ?? {};
        expect([periodStartDate, periodEndDate]).toEqual([...days]);
        if (start < 2026 && summary.foreignProperty)
          expect(summary.foreignProperty).toMatchObject([{ countryCode: business.countryCode }]);
        expect(Object.fromEntries(amountsOf(summary))).toEqual(
          expectedAmounts(type, itemsOf(sums), isConsolidated),
        );
        const amounts = shown.violations.filter(({ rule }) => rule !== 'required');
        expect(amounts.map(({ field, rule }) => `${field} ${rule}`).sort()).toEqual(
          expectedViolations(type, summary).sort(),
        );
        expect(shown.violations.length - amounts.length).toBe(isForeign(type) ? itemsOf(sums).length : 0);
        for (const { rule, ids } of amounts) {
          expect(ids.length).toBeGreaterThan(0);
          const behind = entries.filter(({ id }) => ids.includes(id));
          const isRefund = ({ category, refundOf }: ModelEntry) =>
            category === null && refundOf !== undefined;
          expect(rule !== 'minimum' || behind.every(isRefund)).toBe(true);
        }
      }
      expect(content.jointlyLet !== undefined).toBe(
        type !== 'self-employment' && own.some(({ sharePercent }) => sharePercent !== 100),
      );
      const isTrade = type === 'self-employment';
      const alike = model.filter((each) => (each.type === 'self-employment') === isTrade);
      const counted = isForeign(type) ? model.filter((each) => isForeign(each.type)) : own;
      const total = (of: readonly ModelSource[], marks: string) =>
        of.reduce((sum, each) => sum + turnoverOf(each.type, sumsOf(each), marks), 0n);
      const limit = 9_000_000n;
      const allowed =
        total(counted, 'T') >= limit
          ? 'no'
          : total(alike, 'Tt') >= limit || isForeign(type)
            ? 'ask'
            : 'so far';
      expect([nameOf(business), content.consolidated.allowed]).toEqual([nameOf(business), allowed]);
    }
  }
}

test('each update of random books has the sums of the model, and is valid by the rules of HMRC or reports why not', () => {
  fc.assert(fc.property(anyBooks, check), { numRuns: Number(process.env.HMRC_RUNS ?? 200) });
}, 3_600_000);

describe('a summary that HMRC refuses is reported:', () => {
  const DAYS = cumulativeDays(2026, 1, 'standard');
  const books = { shares: [], said: [], start: 2026, quarter: 1, quarters: 'standard', lastYear: 'standard' };
  const refund = { id: 'refund', source: 's0', date: '2026-05-01', side: 'income', category: null } as const;
  const year = figuresOf({ ...books, drawn: [] } as unknown as Books, [
    { ...refund, refundOf: 'residentialFinancialCost', pence: 5_000 },
  ]);
  const period = year.periods.at(-1) as PeriodFigures;
  const [UK, FOREIGN] = period.businesses as [BusinessFigures, BusinessFigures];

  test.each<[object, object, ...string[]]>([
    [{ periodAmount: 1.005 }, {}, 'income.periodAmount decimals', 'expenses empty'],
    [{ periodAmount: 1e21, rent: 1 }, { other: 1 }, 'income.periodAmount maximum', 'income.rent unknown'],
    [
      { periodAmount: 1 },
      { consolidatedExpenses: 1, other: 2, residentialFinancialCost: 0 },
      'expenses.other exclusive',
    ],
    [{ periodAmount: -0.01 }, { rentARoom: { amountClaimed: 0 } }, 'income.periodAmount minimum'],
    [{ periodAmount: 0 }, { consolidatedExpenses: -1, rentARoom: { amountClaimed: 1 } }],
  ])('%j %j', (income, expenses, ...expected) => {
    const found = violationsOf({ ukProperty: { income, expenses } }, UK, DAYS);
    expect(found.map(({ field, rule }) => `${field} ${rule}`.replace('ukProperty.', ''))).toEqual(expected);
  });

  test('the years before 2025-26, codes of two letters, ids that the ledger does not know', () => {
    const rulesOf = (start: number, item: object) => {
      const summary = {
        foreignProperty: [{ income: { rentIncome: { rentAmount: 1 } }, expenses: { other: 1 }, ...item }],
      };
      const found = violationsOf(summary, FOREIGN, cumulativeDays(start, 1, 'standard'));
      return found.map(({ field, rule }) => `${field} ${rule}`.trim());
    };
    expect(rulesOf(2024, { countryCode: 'FRA' })).toEqual(['tax year']);
    expect(rulesOf(2025, { countryCode: 'FR' })).toEqual(['foreignProperty.0.countryCode required']);
    expect(rulesOf(2026, {})).toEqual(['foreignProperty.0.propertyId required']);
    expect(rulesOf(2026, { propertyId: '8e8b8450-dc1b-4360-8109-7067337b42cb' })).toEqual([]);
  });

  test('for people with the field, the reason and the entries, and what else there is to know', () => {
    expect(refusalsOf(UK, period)).toEqual([
      'ukProperty.expenses.residentialFinancialCost: HMRC refuses -50.00. It takes no amount below 0.00: the refunds exceed the other entries so far. Entries: refund.',
    ]);
    expect(notesOf(UK, period)).toEqual([
      'consolidatedExpenses, one sum of the expenses other than residential finance costs and rent-a-room, is 0.00. Allowed so far. The turnover of the year so far is 0.00, below the VAT registration threshold of 90,000.00. That is for a full year: count your turnover up to one if you began in the year.',
    ]);
    expect(notesOf(FOREIGN, period)[0]).toContain('All property abroad is one quarterly update');
  });
});
