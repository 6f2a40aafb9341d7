/** What the figures of a quarter show in the Books tab, without a browser. */
import { describe, expect, test } from 'bun:test';
import { categoryLabels } from '../../../clients/typescript/figures/naming.ts';
import { QUARTERS, type Quarters, quarterDays } from '../../../clients/typescript/figures/periods.ts';
import type { Source } from '../../../clients/typescript/index.ts';
import {
  choiceOf,
  daysOfYear,
  type FiguresPart,
  figuresOfChoice,
  statedFactsIn,
} from '../../../clients/web/books/figures/figures-of-choice.ts';
import type { BooksEntry } from '../../../clients/web/books/labels.ts';
import { CATEGORIES } from '../../../proto/domain.ts';

const sourceOf = (name: string, sharePercent = 100): Source => ({
  id: name,
  name,
  type: 'uk-property',
  countryCode: null,
  role: 'owner',
  sharePercent,
  transactionCount: 0,
});
const [FLAT, JOINT] = [sourceOf('Flat'), sourceOf('Joint', 50)];
const SOURCES = [FLAT, JOINT];
const categories = {
  'uk-property': {
    income: [...CATEGORIES['uk-property'].income],
    expense: [...CATEGORIES['uk-property'].expense],
  },
};
const labels = categoryLabels(categories);

let ids = 0;
const entry = (source: Source, category: string | null, date: string, amountPence: number) => ({
  id: `e${++ids}`,
  date,
  type: 'income',
  category,
  amountPence,
  description: 'A',
  externalRef: null,
  source,
});
const ENTRIES = [
  entry(FLAT, 'periodAmount', '2026-04-06', 1_000),
  entry(FLAT, 'periodAmount', '2026-07-06', 500),
  entry(JOINT, 'periodAmount', '2026-07-07', 101),
  entry(JOINT, null, '2026-05-01', 9),
  entry(FLAT, 'otherIncome', '2026-10-06', 7),
] as BooksEntry[];

const SECOND = { start: 2026, quarter: 2, quarters: 'standard' } as const;
const TODAY = '2026-10-06';
/** `category: of the quarter, so far`, and their shares. */
const totalsOf = ({ totals }: FiguresPart) =>
  totals.map(({ label, periods }) => `${label}: ${periods.map((amounts) => amounts.join(' ')).join(', ')}`);
const textsOf = ({ rows }: FiguresPart) =>
  rows.map(({ name, lines }) =>
    [name, ...lines.map((line) => `${line?.pence ?? 0} ${line?.penceIfWhole ?? 0}`)].join(': '),
  );

describe('the choice', () => {
  test.each([
    ['2026-04-05', 2025, 4],
    ['2026-04-06', 2026, 1],
    ['2027-01-06', 2026, 4],
  ] as const)('on %s is the tax year from %d and its quarter %d', (day, start, quarter) => {
    expect(choiceOf(day)).toEqual({ start, quarter, quarters: 'standard' });
  });

  test.each<[Quarters]>([['standard'], ['calendar']])('is among the days that are read: %s', (quarters) => {
    const { from, to } = daysOfYear(2026);
    for (const quarter of QUARTERS) {
      const days = quarterDays(2026, quarter, quarters);
      expect([from <= days.from, days.to <= to]).toEqual([true, true]);
    }
  });
});

test('figures are of the quarter and of the year so far, of all properties together and of each', () => {
  const { businesses } = figuresOfChoice({ entries: ENTRIES, labels }, SOURCES, SECOND, TODAY);
  expect(businesses).toHaveLength(1);
  for (const { name, sources, readings, parts, shareOpen, ...business } of businesses) {
    expect([name, sources, readings.length, shareOpen]).toEqual(['UK property', 'Flat, Joint', 2, ['Joint']]);
    expect(textsOf({ name, readings, ...business })).toEqual(['Rent received: 601 551: 1601 1551']);
    // The sum of the entries, then the share: of the quarter, and so far.
    expect(totalsOf({ name, readings, ...business })).toEqual([
      'Total income: 601 551, 1601 1551',
      'Total expenses: 0 0, 0 0',
      'Profit before tax adjustments: 601 551, 1601 1551',
    ]);
    expect(parts.map((part) => totalsOf(part)[0])).toEqual([
      'Total income: 500, 1500',
      'Total income: 101 51, 101 51',
    ]);
    expect(parts.map((part) => [part.name, part.readings.length, ...textsOf(part)])).toEqual([
      ['Flat', 1, 'Rent received: 500 500: 1500 1500'],
      ['Joint', 2, 'Rent received: 101 51: 101 51'],
    ]);
  }
});

test('notes and refusals have labels and names, no keys of HMRC', () => {
  const villa: Source = { ...sourceOf('Villa'), type: 'foreign-property', countryCode: 'ES' };
  const { income, expense } = CATEGORIES['foreign-property'];
  const own = {
    ...labels,
    ...categoryLabels({ 'foreign-property': { income: [...income], expense: [...expense] } }),
  };
  const entries = [entry(villa, 'rentIncome', '2026-07-07', 500), ...ENTRIES] as BooksEntry[];
  entries.push({ ...entry(JOINT, 'premisesRunningCosts', '2026-07-08', 70), type: 'expense' } as BooksEntry);
  const { businesses } = figuresOfChoice({ entries, labels: own }, [...SOURCES, villa], SECOND, TODAY);
  const texts = businesses.flatMap(({ refusals, notes }) => [...refusals, ...notes]);
  expect(texts.filter((text) => /[a-z][A-Z]|\w\.\w+\.\w/.test(text.replace(/\be\d+\b/g, '')))).toEqual([]);
  expect(texts.join('\n')).toContain("Villa, HMRC's id of the property: HMRC asks for its own id");
  expect(texts.join('\n')).toContain('Rent, rates, insurance, ground rents 0.70');
  expect(texts.join('\n')).toContain('The sum of all expenses, one sum of the expenses');
});

test('property abroad lacks the ids of HMRC that the rules do not state; its update names each property as an item', () => {
  const abroad = (name: string, countryCode: string): Source => {
    return { ...sourceOf(name), type: 'foreign-property', countryCode };
  };
  const sources = [abroad('Villa', 'ES'), abroad('Roma', 'IT'), abroad('Casa', 'ES')];
  const { income, expense } = CATEGORIES['foreign-property'];
  const set = { income: [...income], expense: [...expense] };
  const own = categoryLabels({ 'foreign-property': set });
  const entries = sources.map((each) => entry(each, 'rentIncome', '2026-07-07', 500)) as BooksEntry[];
  const line = "HMRC's id of Casa is 8e8b8450-dc1b-4360-8109-7067337b42cb";
  const { facts } = statedFactsIn(line, sources, { 'foreign-property': set });
  const shownOf = (stated?: typeof facts) =>
    figuresOfChoice({ entries, labels: own }, sources, SECOND, TODAY, stated).businesses.map(
      ({ withoutId, refusals }) => [withoutId, refusals.map((text) => text.split(':')[0])],
    );
  const idOf = (name: string) => `${name}, HMRC's id of the property`;
  // Refusals are of the one update of all countries.
  const all = ['Villa', 'Casa', 'Roma'].map(idOf);
  expect(shownOf()).toEqual([
    [['Villa', 'Casa'], all],
    [['Roma'], all],
  ]);
  const others = ['Villa', 'Roma'].map(idOf);
  expect(shownOf(facts)).toEqual([
    [['Villa'], others],
    [['Roma'], others],
  ]);
});

test('sums of other software that the rules state are in the year so far, with a note in labels', () => {
  const line = 'sum of Flat / Rent received up to 2026-08-31: 20.00';
  const { facts } = statedFactsIn(line, SOURCES, categories);
  const { businesses, year } = figuresOfChoice({ entries: ENTRIES, labels }, SOURCES, SECOND, TODAY, facts);
  const [flat] = businesses[0]?.parts ?? [];
  // The two rents of the flat before September are replaced.
  expect([flat].flatMap((part) => (part ? textsOf(part) : []))).toEqual(['Rent received: 0 0: 2000 2000']);
  expect(year.checks.map(({ kind, entries }) => [kind, entries.length])).toEqual([['stated', 2]]);
  expect(businesses[0]?.notes.join('\n')).toContain('by your rules: Rent received 20.00.');
});

test('entries to check first are those of the figures, and of the first working day after the tax year', () => {
  const of = { start: 2025, quarter: 4, quarters: 'standard' } as const;
  expect(daysOfYear(2025).to).toBe('2026-04-07');
  const moved = entry(FLAT, 'periodAmount', '2026-04-07', 3) as BooksEntry;
  const { year, businesses } = figuresOfChoice({ entries: [moved], labels }, SOURCES, of, TODAY);
  expect(year.checks.map(({ kind, entries }) => [kind, entries.map(({ stored }) => stored.id)])).toEqual([
    ['moved', [moved.id]],
  ]);
  expect(businesses).toEqual([]);
});

test('what has no category is named by its property, and is in no figure', () => {
  const { unsorted } = figuresOfChoice({ entries: ENTRIES, labels }, SOURCES, SECOND, TODAY);
  expect(unsorted).toEqual([
    { source: JOINT, count: 1, incomePence: 9n, expensePence: 0n, ids: [ENTRIES[3]?.id ?? ''] },
  ]);
});

test('the rules of the import set refunds against their category; rules that cannot be read say so', () => {
  const rules = 'description is "A" -> Joint / refund of Repairs and maintenance';
  const { facts } = statedFactsIn(rules, SOURCES, categories);
  const { unsorted, businesses } = figuresOfChoice(
    { entries: ENTRIES, labels },
    SOURCES,
    SECOND,
    TODAY,
    facts,
  );
  expect(unsorted).toEqual([]);
  expect(businesses[0]?.rows.map(({ category, lines }) => [category, lines[1]?.pence])).toEqual([
    ['periodAmount', 1_601n],
    ['repairsAndMaintenance', -9n],
  ]);
  expect(statedFactsIn(' ', SOURCES, categories)).toEqual({});
  expect(statedFactsIn('nonsense', SOURCES, categories).problem).toContain('Line 1 of the rules');
});
