/**
 * Quarterly updates of random books against a model, and against HMRC's rules as hmrc-facts.json has them: each summary is valid, or each violation is reported
 * with its entries. HMRC_RUNS sets how many books; it was 10,000 for the rules of 2026-27.
 */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  isFinal,
  isShareOpen,
  notesOf,
  refusalsOf,
} from '../../../../clients/typescript/figures/business-notes.ts';
import { KEY_NAMING } from '../../../../clients/typescript/figures/naming.ts';
import type { BusinessFigures } from '../../../../clients/typescript/figures/period-figures.ts';
import { cumulativeDays } from '../../../../clients/typescript/figures/periods.ts';
import { profitTotal, TOTALS } from '../../../../clients/typescript/figures/profit-totals.ts';
import { updateContent } from '../../../../clients/typescript/figures/update.ts';
import { violationsOf } from '../../../../clients/typescript/figures/violations.ts';
import type { PeriodFigures } from '../../../../clients/typescript/figures/year.ts';
import { runs } from '../../../fixtures/runs.ts';
import { anyBooks, type Books, emptyBooks, entriesOf, figuresOf, modelOf } from './hmrc-books.ts';
import {
  added,
  amountsOf,
  countedOf,
  expectedAmounts,
  expectedTotals,
  expectedViolations,
  lateOf,
  type ModelEntry,
  type ModelSource,
  modelCountry,
  modelDays,
  modelQuarter,
  refundSums,
  sourceSums,
  turnoverOf,
} from './hmrc-model.ts';

const nameOf = ({ type, countryCode, name }: BusinessFigures) =>
  name ?? `${type} ${countryCode ?? ''}`.trim();
const isForeign = ({ type }: { type: string }) => type === 'foreign-property';
const ASSUMED = [
  ['penceIfShare', 'share'],
  ['penceIfWhole', 'whole'],
] as const;

function check(books: Books): void {
  const entries = entriesOf(books);
  const model = modelOf(books);
  const year = figuresOf(books, entries);
  const [ofQuarter, soFar] = year.periods as [PeriodFigures, PeriodFigures];
  const { start, quarter, quarters, lastYear } = books;
  const kinds = [quarters === 'calendar', lastYear === 'calendar'] as const;
  const days = modelDays(start, quarter, ...kinds);
  for (const [period, own] of [
    [ofQuarter, modelQuarter(start, quarter, ...kinds)],
    [soFar, days],
  ] as const) {
    expect([period.from, period.to]).toEqual([...own]);
    expect(period.businesses.map(nameOf)).toEqual([
      ...['uk-property', 'foreign-property FR', `foreign-property ${books.country ?? ''}`.trim()],
      ...['Source 6', 'Source 7'],
    ]);
    checkSums(period, model, entries);
  }
  for (const business of soFar.businesses) checkUpdate(business, soFar, { model, entries, start });
  const late = year.checks.flatMap((each) => (each.kind === 'late' ? each.entries : []));
  const expected = lateOf(model, entries, start, kinds, quarter);
  expect(late.map(({ stored }) => stored.id).sort()).toEqual(expected.sort());
  checkStated(year, model, entries, days);
}

/** Entries that stated sums replace are named; sums beyond the figures make them not final. */
function checkStated(
  { checks, beyond: said, periods }: ReturnType<typeof figuresOf>,
  model: readonly ModelSource[],
  entries: readonly ModelEntry[],
  [from, to]: readonly [string, string],
): void {
  const replaced = model.flatMap(({ id, stated }) =>
    entries.flatMap((each) => {
      const isOfSums = each.source === id && each.date >= from && each.date <= (stated?.to ?? '');
      return isOfSums && each.date <= to ? each.id : [];
    }),
  );
  const named = checks.flatMap((each) => (each.kind === 'stated' ? each.entries : []));
  expect(named.map(({ stored }) => stored.id).sort()).toEqual(replaced.sort());
  const beyond = model.filter(({ stated }) => stated !== undefined && stated.to > to);
  expect(said.length).toBe(beyond.length);
  expect(beyond.every(({ id }) => said.some((note) => note.includes(`Source ${id.slice(1)} `)))).toBe(true);
  const last = periods.at(-1) as PeriodFigures;
  const sources = last.businesses.flatMap((business) => business.sources);
  const isOtherwise = sources.every((each) => each.withoutCategory.count === 0 && !isShareOpen(each));
  expect(isFinal(last)).toBe(isOtherwise && beyond.length === 0);
}

function checkSums(period: PeriodFigures, model: readonly ModelSource[], entries: readonly ModelEntry[]) {
  const days = [period.from, period.to] as const;
  for (const { type, sources, lines, withoutCategory } of period.businesses) {
    const own = model.filter(({ id }) => sources.some(({ source }) => source.id === id));
    for (const [amount, assumed] of ASSUMED) {
      const sums = own.map((each) => sourceSums(each, entries, days, assumed));
      const totals = TOTALS.map((total) => profitTotal(total, type, lines, (line) => line[amount]));
      expect(totals).toEqual(expectedTotals(type, added(sums)));
      const shown = lines.map((line) => [`${line.type} ${line.category}`, line[amount]] as const);
      expect(Object.fromEntries(shown)).toEqual(added(sums));
    }
    // A business has the lines of its sources, each with its own entries.
    for (const { source, lines: ofSource } of sources) {
      const [each] = own.filter(({ id }) => id === source.id) as [ModelSource];
      const shown = ofSource.map((line) => [`${line.type} ${line.category}`, line.penceIfWhole] as const);
      expect(Object.fromEntries(shown)).toEqual(sourceSums(each, entries, days, 'whole'));
    }
    const stated = own.flatMap((each) =>
      each.stated && period.from <= each.stated.from && each.stated.to <= period.to ? [each.stated.sums] : [],
    );
    const refunds = own.map((each) => refundSums(each, entries, days));
    for (const line of lines) {
      expect(line.refundPenceIfWhole).toBe(added(refunds)[`${line.type} ${line.category}`] ?? 0n);
      expect(line.statedPence).toBe(added(stated)[`${line.type} ${line.category}`] ?? 0n);
    }
    const counted = own.flatMap((each) => countedOf(each, entries, days));
    const open = counted.filter(({ category, refundOf }) => category === null && refundOf === undefined);
    expect(withoutCategory.ids.toSorted()).toEqual(open.map(({ id }) => id).sort());
    const named = lines.flatMap(({ ids, refundIds }) => [...ids, ...refundIds]).concat(withoutCategory.ids);
    expect(named.sort()).toEqual(counted.map(({ id }) => id).sort());
  }
}

interface Facts {
  model: readonly ModelSource[];
  entries: readonly ModelEntry[];
  start: number;
}

function checkUpdate(business: BusinessFigures, period: PeriodFigures, { model, entries, start }: Facts) {
  const { type } = business;
  const days = [period.from, period.to] as const;
  const own = model.filter(({ id }) => business.sources.some(({ source }) => source.id === id));
  /** All property abroad is one update. */
  const whole = isForeign(business) ? model.filter(isForeign) : own;
  const items = !isForeign(business)
    ? [whole]
    : start >= 2026
      ? whole.map((each) => [each])
      : [...Map.groupBy(whole, ({ countryCode }) => countryCode).values()];
  for (const [amount, assumed] of ASSUMED) {
    const sumsOf = (each: ModelSource) => sourceSums(each, entries, days, assumed);
    const content = updateContent(business, period, amount);
    const jointOf = (each: ModelSource) => {
      const isLeft = ([key]: [string, bigint]) => each.sharePercent === 100 || key.startsWith('income');
      return Object.fromEntries(Object.entries(sumsOf(each)).filter(isLeft));
    };
    for (const [shown, sumsIn, isConsolidated] of [
      [content, sumsOf, false],
      [content.consolidated, sumsOf, true],
      ...(content.jointlyLet ? [[content.jointlyLet, jointOf, false] as const] : []),
    ] as const) {
      const summary = JSON.parse(JSON.stringify(shown.summary));
      // HMRC refuses an empty object, also within another.
      expect(JSON.stringify(summary)).not.toMatch(/\{\}|\[\]/);
      const { periodStartDate = summary.fromDate, periodEndDate = summary.toDate } =
        summary.periodDates ?? {};
      expect([periodStartDate, periodEndDate]).toEqual([...days]);
      const named = items.map(([first]) =>
        start >= 2026 ? { propertyId: first?.propertyId } : { countryCode: modelCountry(first?.countryCode) },
      );
      if (isForeign(business)) {
        const shownNames = summary.foreignProperty.map(
          ({ income, expenses, ...facts }: Record<string, unknown>) => facts,
        );
        expect(shownNames).toEqual(JSON.parse(JSON.stringify(named)));
      }
      const sums = items.map((sources) => added(sources.map(sumsIn)));
      expect(Object.fromEntries(amountsOf(summary))).toEqual(expectedAmounts(type, sums, isConsolidated));
      const amounts = shown.violations.filter(({ rule }) => rule !== 'required');
      expect(amounts.map(({ field, rule }) => `${field} ${rule}`).sort()).toEqual(
        expectedViolations(type, summary).sort(),
      );
      const missing = shown.violations.filter(({ rule }) => rule === 'required');
      const unnamed = items.filter((_, index) => Object.values(named[index] ?? {})[0] === undefined);
      expect(missing.map(({ sourceIds }) => [...sourceIds])).toEqual(
        isForeign(business) ? unnamed.map((sources) => sources.map(({ id }) => id)) : [],
      );
      for (const { rule, ids, sourceIds } of amounts) {
        const behind = entries.filter(({ id }) => ids.includes(id));
        const hasStated = model.some(({ id, stated }) => stated !== undefined && sourceIds.includes(id));
        expect(behind.length > 0 || hasStated).toBe(true);
        const isRefund = ({ category, refundOf }: ModelEntry) => category === null && refundOf !== undefined;
        expect(rule !== 'minimum' || behind.every(isRefund)).toBe(true);
      }
    }
    expect(content.jointlyLet !== undefined).toBe(
      type !== 'self-employment' && whole.some(({ sharePercent }) => sharePercent !== 100),
    );
    const isTrade = type === 'self-employment';
    const alike = model.filter((each) => (each.type === 'self-employment') === isTrade);
    const total = (of: readonly ModelSource[], marks: string) =>
      of.reduce((sum, each) => sum + turnoverOf(each.type, sumsOf(each), marks), 0n);
    const limit = 9_000_000n;
    const allowed =
      total(whole, 'T') >= limit
        ? 'no'
        : total(alike, 'Tt') >= limit || isForeign(business)
          ? 'ask'
          : 'so far';
    expect([nameOf(business), content.consolidated.allowed]).toEqual([nameOf(business), allowed]);
  }
}

test('each update of random books has the sums of the model, and is valid by the rules of HMRC or reports why not', () => {
  fc.assert(fc.property(anyBooks, check), { numRuns: Number(process.env.HMRC_RUNS ?? runs(200)) });
}, 3_600_000);

describe('a summary that HMRC refuses is reported:', () => {
  const DAYS = cumulativeDays(2026, 1, 'standard');
  const refund = { id: 'refund', source: 's0', date: '2026-05-01', side: 'income', category: null } as const;
  const year = figuresOf(emptyBooks(2026), [
    { ...refund, refundOf: 'residentialFinancialCost', pence: 5_000 },
  ]);
  const period = year.periods.at(-1) as PeriodFigures;
  const [UK, FRANCE, ITALY] = period.businesses as [BusinessFigures, BusinessFigures, BusinessFigures];

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

  test('the years before 2025-26, codes of two letters, ids that the rules do not state', () => {
    const rulesOf = (start: number, item: object) => {
      const summary = {
        foreignProperty: [{ income: { rentIncome: { rentAmount: 1 } }, expenses: { other: 1 }, ...item }],
      };
      const found = violationsOf(summary, ITALY, cumulativeDays(start, 1, 'standard'));
      return found.map(({ field, rule }) => `${field} ${rule}`.trim());
    };
    expect(rulesOf(2024, { countryCode: 'FRA' })).toEqual(['tax year']);
    expect(rulesOf(2025, { countryCode: 'FR' })).toEqual(['foreignProperty.0.countryCode required']);
    expect(rulesOf(2026, {})).toEqual(['foreignProperty.0.propertyId required']);
    expect(rulesOf(2026, { propertyId: '8e8b8450-dc1b-4360-8109-7067337b42cb' })).toEqual([]);
  });

  test('for people with the field, the reason and the entries, and what else there is to know', () => {
    expect(refusalsOf(UK, period, KEY_NAMING)).toEqual([
      'ukProperty.expenses.residentialFinancialCost: HMRC refuses -50.00. It takes no amount below 0.00: refunds and stated sums exceed the other entries so far. Entries: refund.',
    ]);
    expect(notesOf(UK, period, KEY_NAMING)).toEqual([
      'consolidatedExpenses, one sum of the expenses other than residential finance costs and rent-a-room, is 0.00. Allowed so far. The turnover of the year so far is 0.00, below the VAT registration threshold of 90,000.00. That is for a full year: count your turnover up to one if you began in the year.',
    ]);
    expect(notesOf(FRANCE, period, KEY_NAMING)[0]).toContain('All property abroad is one quarterly update');
  });
});
