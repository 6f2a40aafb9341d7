/** The sums of a period by category, of each source and of each business that a quarterly update is for. It submits nothing. */

import type { Days } from '../days.ts';
import { groupBy } from '../group-by.ts';
import type { EntryType } from '../import/options.ts';
import type { EntriesAre } from '../import/rules/entries-are.ts';
import type { StatedSums } from '../import/rules/stated-sums.ts';
import type { StoredEntry } from '../match/stored-books.ts';
import type { Source } from '../resources.ts';
import { categoriesInOrder, fieldOf } from './fields.ts';

/** The category that an entry without a category is set against, as a refund. */
export type RefundOf = (entry: StoredEntry) => CategoryOfType | undefined;

/** Facts about the entries of an account that a person states. */
export interface StatedFacts {
  refundOf?: RefundOf;
  entriesAre?: (source: Source) => EntriesAre | undefined;
  /** HMRC's id of a property abroad. */
  propertyId?: (source: Source) => string | undefined;
  /** The stated sums of a source, of any tax year. */
  sumsOf?: (source: Source) => StatedSums | undefined;
}

/** Sums of other software for these days, in place of the entries. */
type SumsOfDays = StatedSums & Days;

/** The facts that are stated for one tax year. */
export interface FactsOfYear extends Omit<StatedFacts, 'sumsOf'> {
  sumsOf?: (source: Source) => SumsOfDays | undefined;
}

/** The key of a category: income and expenses may have the same one. */
export interface CategoryOfType {
  type: EntryType;
  category: string;
}

/**
 * The figure of one category. The entries of a jointly held source are of the whole payment, or the account holder's share of it already: the
 * rules say which. A flat is held at 50 %, and its rent is one entry of 800.00, so `pence` is 80,000:
 *
 * | the rules say that its entries are | `penceIfWhole` | `penceIfShare` |
 * |---|---|---|
 * | of the whole | 40,000 | 40,000 |
 * | my share | 80,000 | 80,000 |
 * | neither: two readings of one amount | 40,000 | 80,000 |
 */
export interface FiguresLine extends CategoryOfType {
  /** The name of the field in HMRC's summary; undefined if it has none. */
  field: string | undefined;
  /** The sum of the entries, less refunds, and the stated sum. */
  pence: bigint;
  /** The account holder's share of the entries, and the stated sum. Where the rules say neither, the entries are taken as the whole. */
  penceIfWhole: bigint;
  /** The same, but there they are taken as the share. */
  penceIfShare: bigint;
  /** The stated sum of other software, which is the account holder's. */
  statedPence: bigint;
  /** The sum of the refunds in pence. */
  refundPence: bigint;
  /** The account holder's share of it, as in `penceIfWhole`. */
  refundPenceIfWhole: bigint;
  /** The ids of the entries, and of the refunds. */
  ids: string[];
  refundIds: string[];
}

/** Entries in the app's review queue: figures are provisional until they are sorted. */
export interface WithoutCategory {
  count: number;
  incomePence: bigint;
  expensePence: bigint;
  ids: string[];
}

/** The reading of an amount: the table of `FiguresLine` has both. A figure has two readings only while the rules say neither. */
export type AmountReading = 'penceIfShare' | 'penceIfWhole';

export interface SourceFigures {
  source: Source;
  /** Whether entries are whole amounts or shares; undefined if nobody has said so. */
  entriesAre: EntriesAre | undefined;
  /** HMRC's id of a property abroad. */
  propertyId: string | undefined;
  /** The stated sums. They are in the figures if the period has all their days. */
  stated: (SumsOfDays & { isCounted: boolean }) | undefined;
  /** In the order of the categories; those without entries are left out. */
  lines: FiguresLine[];
  withoutCategory: WithoutCategory;
}

/** The scope of one quarterly update: all UK property, the property of one country abroad, or one business. */
export interface BusinessFigures extends Pick<SourceFigures, 'lines' | 'withoutCategory'> {
  type: Source['type'];
  /** The country of foreign property. */
  countryCode: string | null;
  /** The name of the business; null for property. */
  name: string | null;
  sources: SourceFigures[];
}

/** Every source of the account is in one business, with or without entries. */
export function figuresOf(
  sources: readonly Source[],
  entries: Iterable<StoredEntry>,
  days: Days,
  facts: FactsOfYear = {},
): BusinessFigures[] {
  const bySource = new Map<string, StoredEntry[]>(sources.map(({ id }) => [id, []]));
  for (const each of entries) {
    if (isWithin(each, days)) bySource.get(each.source.id)?.push(each);
  }
  const all = sources.map((source) => sourceFigures(source, bySource.get(source.id) ?? [], days, facts));
  const businesses = groupBy(all, ({ source }) => businessKeyOf(source));
  return [...businesses.values()].map((ofBusiness) => {
    const business = businessIdentity((ofBusiness[0] as SourceFigures).source);
    return {
      ...business,
      sources: ofBusiness,
      lines: sumLines(business.type, ofBusiness),
      withoutCategory: ofBusiness.map((each) => each.withoutCategory).reduce(addWithoutCategory),
    };
  });
}

export const isWithin = ({ stored: { date } }: StoredEntry, { from, to }: Days): boolean =>
  date >= from && date <= to;

/** Whether stated sums are in place of the entry. */
export function isReplaced(entry: StoredEntry, { sumsOf }: FactsOfYear): boolean {
  const stated = sumsOf?.(entry.source);
  return stated !== undefined && isWithin(entry, stated);
}

/** Whether stated sums go to a later day than the figures so far, which have neither them nor the entries of their days. */
export const isBeyond = ({ stated }: SourceFigures): boolean => stated !== undefined && !stated.isCounted;

/** The key of the business of a source. */
export function businessKeyOf({
  type,
  countryCode,
  id,
}: Pick<Source, 'type' | 'countryCode' | 'id'>): string {
  if (type === 'uk-property') return type;
  return type === 'foreign-property' ? `${type} ${countryCode}` : id;
}

export const businessIdentity = ({
  type,
  countryCode = null,
  name,
}: Pick<Source, 'type' | 'countryCode' | 'name'>): Pick<
  BusinessFigures,
  'type' | 'countryCode' | 'name'
> => ({
  type,
  countryCode: type === 'foreign-property' ? countryCode : null,
  name: type === 'uk-property' || type === 'foreign-property' ? null : name,
});

function sourceFigures(
  source: Source,
  entries: readonly StoredEntry[],
  { from, to }: Days,
  facts: FactsOfYear,
): SourceFigures {
  const { refundOf, entriesAre: entriesAreOf, propertyId, sumsOf } = facts;
  const [entriesAre, sums] = [entriesAreOf?.(source), sumsOf?.(source)];
  const isCounted = sums !== undefined && from <= sums.from && sums.to <= to;
  const lines = new Map<string, FiguresLine>();
  const withoutCategory: WithoutCategory = { count: 0, incomePence: 0n, expensePence: 0n, ids: [] };
  const lineOf = (type: EntryType, category: string) => {
    const key = `${type} ${category}`;
    const line = lines.get(key) ?? emptyLine(source.type, type, category);
    lines.set(key, line);
    return line;
  };
  for (const each of entries) {
    if (isReplaced(each, facts)) continue;
    const { id, type, category, amountPence } = each.stored;
    const pence = BigInt(amountPence);
    const refund = category === null ? refundOf?.(each) : undefined;
    if (refund) {
      const line = lineOf(refund.type, refund.category);
      line.pence -= pence;
      line.refundPence += pence;
      line.refundIds.push(id);
    } else if (category === null) {
      withoutCategory.count++;
      withoutCategory[type === 'income' ? 'incomePence' : 'expensePence'] += pence;
      withoutCategory.ids.push(id);
    } else {
      const line = lineOf(type, category);
      line.pence += pence;
      line.ids.push(id);
    }
  }
  if (isCounted)
    for (const { type, category, pence } of sums.sums) lineOf(type, category).statedPence = pence;
  const ifWhole = (pence: bigint) => (entriesAre === 'share' ? pence : shareOf(pence, source.sharePercent));
  const ifShare = (pence: bigint) => (entriesAre === 'whole' ? shareOf(pence, source.sharePercent) : pence);
  for (const line of lines.values()) {
    const { pence, statedPence, refundPence } = line;
    line.pence = pence + statedPence;
    line.penceIfWhole = ifWhole(pence) + statedPence;
    line.penceIfShare = ifShare(pence) + statedPence;
    line.refundPenceIfWhole = ifWhole(refundPence);
  }
  return {
    source,
    entriesAre,
    propertyId: propertyId?.(source),
    stated: sums && { ...sums, isCounted },
    lines: inOrder(source.type, [...lines.values()]),
    withoutCategory,
  };
}

const emptyLine = (sourceType: Source['type'], type: EntryType, category: string): FiguresLine => ({
  type,
  category,
  field: fieldOf(sourceType, type, category)?.path,
  pence: 0n,
  penceIfWhole: 0n,
  penceIfShare: 0n,
  statedPence: 0n,
  refundPence: 0n,
  refundPenceIfWhole: 0n,
  ids: [],
  refundIds: [],
});

/** The part of the sum of the entries that is the account holder's. Where it is open, the entries are taken as the whole. */
export const percentOf = ({ source, entriesAre }: Pick<SourceFigures, 'source' | 'entriesAre'>): number =>
  entriesAre === 'share' ? 100 : source.sharePercent;

/** Half a penny away from zero. A percentage has at most four decimals. */
export function shareOf(pence: bigint, percent: number): bigint {
  const doubled = 2n * pence * BigInt(Math.round(percent * 10_000));
  const whole = 2_000_000n;
  const away = doubled < 0n ? -whole / 2n : whole / 2n;
  return (doubled + away) / whole;
}

/** Income before expenses, each in the order of the categories. */
export function inOrder<Line extends CategoryOfType>(sourceType: Source['type'], lines: Line[]): Line[] {
  const order = (['income', 'expense'] as const).flatMap((type) =>
    categoriesInOrder(sourceType, type).map((category) => `${type} ${category}`),
  );
  const rankOf = ({ type, category }: Line) => {
    const place = order.indexOf(`${type} ${category}`);
    return place === -1 ? order.length : place;
  };
  return lines.sort((one, other) => rankOf(one) - rankOf(other));
}

/** The lines of sources, added up by category. */
export function sumLines(
  sourceType: Source['type'],
  figures: readonly Pick<SourceFigures, 'lines'>[],
): FiguresLine[] {
  const lines = new Map<string, FiguresLine>();
  for (const line of figures.flatMap((each) => each.lines)) {
    const { type, category } = line;
    const key = `${type} ${category}`;
    const sum = lines.get(key) ?? emptyLine(sourceType, type, category);
    lines.set(key, {
      ...sum,
      pence: sum.pence + line.pence,
      penceIfWhole: sum.penceIfWhole + line.penceIfWhole,
      penceIfShare: sum.penceIfShare + line.penceIfShare,
      statedPence: sum.statedPence + line.statedPence,
      refundPence: sum.refundPence + line.refundPence,
      refundPenceIfWhole: sum.refundPenceIfWhole + line.refundPenceIfWhole,
      ids: [...sum.ids, ...line.ids],
      refundIds: [...sum.refundIds, ...line.refundIds],
    });
  }
  return inOrder(sourceType, [...lines.values()]);
}

const addWithoutCategory = (one: WithoutCategory, other: WithoutCategory): WithoutCategory => ({
  count: one.count + other.count,
  incomePence: one.incomePence + other.incomePence,
  expensePence: one.expensePence + other.expensePence,
  ids: [...one.ids, ...other.ids],
});
