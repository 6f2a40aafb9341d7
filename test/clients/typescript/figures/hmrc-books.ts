/** Random books with rules, in the form of the model and as the figures of the product. */
import fc from 'fast-check';
import { getAlpha2Codes } from 'i18n-iso-countries';
import { QUARTERS } from '../../../../clients/typescript/figures/periods.ts';
import { statedFacts } from '../../../../clients/typescript/figures/stated-facts.ts';
import { yearFigures } from '../../../../clients/typescript/figures/year.ts';
import type { StoredEntry } from '../../../../clients/typescript/match/stored-books.ts';
import { CATEGORIES, type SourceType } from '../../../../proto/domain.ts';
import { sourceOf } from '../sources.ts';
import { type ModelEntry, type ModelSource, modelDays } from './hmrc-model.ts';

const SHARES = [100, 50, 33.3333, 0.5];
const [UK_TYPE, FOREIGN_TYPE, TRADE] = ['uk-property', 'foreign-property', 'self-employment'] as const;
/** The last property abroad is in a country that is drawn. */
const SOURCES = [...[UK_TYPE, UK_TYPE, UK_TYPE, FOREIGN_TYPE, FOREIGN_TYPE, FOREIGN_TYPE, TRADE, TRADE]].map(
  (type, index) => ({ id: `s${index}`, name: `Source ${index}`, type }),
);
const COUNT = SOURCES.length;
const COUNTRIES = Object.keys(getAlpha2Codes()).filter((code) => code !== 'FR');

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

const FIRST_DAY = Date.UTC(2025, 2, 25);
const dayOf = (day: number) => new Date(FIRST_DAY + day * 86_400_000).toISOString().slice(0, 10);
/** Most often at the beginning of a tax year. */
const anyDay = fc.oneof(
  fc.integer({ min: 0, max: 760 }),
  fc.integer({ min: 5, max: 18 }),
  fc.integer({ min: 370, max: 383 }),
);
const anyPence = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 300_000 }) },
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 6_000_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 4_000_000_000_000, max: 9_999_999_999_999 }) },
);
const anySide = fc.constantFrom('income' as const, 'expense' as const);

const anyEntry = fc.record({
  source: fc.nat(COUNT - 1),
  side: anySide,
  kind: fc.constantFrom('category', 'category', 'refund', 'sorted refund', 'none'),
  category: fc.nat(),
  pence: anyPence,
  day: anyDay,
  /** Days until it was recorded. */
  after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 })),
});
const anySum = fc.record({
  side: anySide,
  category: fc.nat(),
  pence: fc.oneof(
    fc.constant(0),
    anyPence,
    anyPence,
    anyPence.map((pence) => -pence),
  ),
});
const anyStated = fc.record({ day: anyDay, sums: fc.array(anySum, { minLength: 1, maxLength: 6 }) });
const ofEach = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: COUNT, maxLength: COUNT });

export const anyBooks = fc.record({
  shares: ofEach(fc.constantFrom(...SHARES)),
  said: ofEach(fc.constantFrom('whole' as const, 'share' as const, undefined)),
  ids: ofEach(fc.option(fc.uuid(), { nil: undefined })),
  stated: ofEach(fc.oneof(fc.constant(undefined), fc.constant(undefined), anyStated)),
  country: fc.constantFrom('IT', 'IT', null, ...COUNTRIES),
  drawn: fc.array(anyEntry, { maxLength: 40, size: 'max' }),
  start: fc.constantFrom(2025, 2026),
  quarter: fc.constantFrom(...QUARTERS),
  quarters: fc.constantFrom('standard' as const, 'calendar' as const),
  lastYear: fc.constantFrom('standard' as const, 'calendar' as const),
});
export type Books = typeof anyBooks extends fc.Arbitrary<infer T> ? T : never;

/** Books without an entry, in the first quarter. */
export const emptyBooks = (start: 2025 | 2026): Books => ({
  ...{ shares: [], said: [], ids: [], stated: [], drawn: [], country: 'IT' },
  ...{ start, quarter: 1, quarters: 'standard', lastYear: 'standard' },
});

const keyOf = (type: SourceType, side: 'income' | 'expense', category: number) => {
  const keys = CATEGORIES[type][side];
  return keys[category % keys.length]?.key ?? '';
};

/** The entries for the model. */
export const entriesOf = ({ drawn }: Pick<Books, 'drawn'>): ModelEntry[] =>
  drawn.map(({ source, side, kind, category, pence, day, after }) => {
    const { id, type } = SOURCES[source] as (typeof SOURCES)[number];
    const recorded = dayOf(day + after);
    const refundOf = keyOf(type, side === 'income' ? 'expense' : 'income', category);
    const isSorted = kind === 'category' || kind === 'sorted refund';
    return {
      ...{ id: Bun.randomUUIDv7('hex', Date.parse(`${recorded}T12:00:00Z`)), recorded },
      ...{ source: id, date: dayOf(day), side, pence },
      category: isSorted ? keyOf(type, side, category) : null,
      ...(kind.endsWith('refund') && { refundOf }),
    };
  });

/** Of each property another one. */
const idOf = ({ ids }: Pick<Books, 'ids'>, index: number) => {
  const id = SOURCES[index]?.type === FOREIGN_TYPE ? ids[index] : undefined;
  return id === undefined ? undefined : `${id.slice(0, -1)}${index}`;
};

/** The sources for the model: sums of another tax year state nothing. */
export function modelOf(books: Books): ModelSource[] {
  const { start, quarters, lastYear } = books;
  const [from, end] = modelDays(start, 4, quarters === 'calendar', lastYear === 'calendar');
  return SOURCES.map((each, index) => {
    const { day, sums } = books.stated[index] ?? { day: 0, sums: [] };
    const to = dayOf(day);
    const bySide = Object.fromEntries(
      sums.map(({ side, category, pence }) => [`${side} ${keyOf(each.type, side, category)}`, BigInt(pence)]),
    );
    return {
      ...each,
      countryCode: each.type === FOREIGN_TYPE ? (index < 5 ? 'FR' : books.country) : null,
      sharePercent: books.shares[index] ?? 100,
      said: books.said[index],
      propertyId: idOf(books, index),
      stated: sums.length > 0 && to >= from && to <= end ? { from, to, sums: bySide } : undefined,
    };
  });
}

/** The lines of the rules with the same facts. */
function statements(books: Books): string[] {
  return SOURCES.flatMap(({ name, type }, index) => {
    const [said, id, stated] = [books.said[index], idOf(books, index), books.stated[index]];
    const sums = new Map(
      stated?.sums.map(({ side, category, pence }) => [`${side} ${keyOf(type, side, category)}`, pence]),
    );
    return [
      ...(said ? [`entries of "${name}" are ${said === 'whole' ? 'of the whole' : 'my share'}`] : []),
      ...(id ? [`HMRC's id of "${name}" is ${id}`] : []),
      ...Array.from(sums, ([key, pence]) => {
        const [, category] = key.split(' ');
        const amount = `${pence < 0 ? '-' : ''}${(Math.abs(pence) / 100).toFixed(2)}`;
        return `sum of "${name}" / ${category} up to ${dayOf(stated?.day ?? 0)}: ${amount}`;
      }),
    ];
  });
}

/** The product's figures of the same books. */
export function figuresOf(books: Books, entries: readonly ModelEntry[]) {
  const sources = SOURCES.map((each, index) =>
    sourceOf(each.id, {
      ...each,
      countryCode: each.type === FOREIGN_TYPE ? (index < 5 ? 'FR' : books.country) : null,
      sharePercent: books.shares[index] ?? 100,
    }),
  );
  const byId = new Map(
    entries.map(({ id, source, date, side, category, refundOf, pence }): [string, StoredEntry] => {
      const description = refundOf === undefined ? null : `refund ${refundOf}`;
      const stored = { id, date, type: side, category, amountPence: pence, description, externalRef: null };
      return [id, { stored, source: sources.find((each) => each.id === source) ?? sourceOf('none') }];
    }),
  );
  const plan = sources.map(({ id, name, type }) => {
    return { id, name, type, categories: categoriesOf(type as SourceType) };
  });
  const facts = statedFacts([...REFUND_RULES, ...statements(books)].join('\n'), plan);
  return yearFigures({ sources, byId }, { ...books, today: '2026-11-27' }, facts);
}
