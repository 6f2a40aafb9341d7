/** Quarterly updates by plain arithmetic, and HMRC's rules as hmrc-facts.json has them. Shares no code with the product. */
import { alpha2ToAlpha3 } from 'i18n-iso-countries';
import FACTS from './hmrc-facts.json';

type Side = 'income' | 'expense';
const SIDES = ['income', 'expense'] as const;
type Type = 'uk-property' | 'foreign-property' | 'self-employment';
type Sums = Record<string, bigint>;
type Days = readonly [from: string, to: string];

export interface ModelSource {
  id: string;
  type: string;
  countryCode?: string | null;
  sharePercent: number;
  said: 'whole' | 'share' | undefined;
  /** HMRC's, as the rules state it. */
  propertyId?: string | undefined;
  /** Sums of other software from the beginning of a tax year, as the account holder's figures, by `side category`. */
  stated?: { from: string; to: string; sums: Sums } | undefined;
}
export interface ModelEntry {
  id: string;
  source: string;
  date: string;
  /** The day on which it was recorded. */
  recorded?: string;
  side: Side;
  /** null: none. */
  category: string | null;
  /** The category of the other side that it is a refund of, as long as it has none of its own. */
  refundOf?: string;
  pence: number;
}

const factOf = (type: string, side: Side, category: string) => {
  const [path = '', flags = ''] =
    (FACTS[type as Type][side] as Record<string, string>)[category]?.split(' ') ?? [];
  return { path, flags };
};

/** `fromDate`, `toDate` of an update: of one kind of quarters after a year of the other, or of the same. */
export function modelDays(year: number, quarter: number, calendar: boolean, wasCalendar: boolean) {
  const ends = calendar ? ['06-30', '09-30', '12-31', '03-31'] : ['07-05', '10-05', '01-05', '04-05'];
  const end = ends[quarter - 1] ?? '';
  return [`${year}-04-0${wasCalendar ? 1 : 6}`, `${end < '04-06' ? year + 1 : year}-${end}`] as const;
}

/** `from`, `to` of a quarter alone. */
export function modelQuarter(year: number, quarter: number, calendar: boolean, wasCalendar: boolean): Days {
  const [from, to] = modelDays(year, quarter, calendar, wasCalendar);
  if (quarter === 1) return [from, to];
  const [, before] = modelDays(year, quarter - 1, calendar, wasCalendar);
  return [new Date(Date.parse(before) + 86_400_000).toISOString().slice(0, 10), to];
}

/** HMRC's code of a country of the account; undefined if it has none. Its code of Kosovo is not the package's. */
export function modelCountry(code: string | null | undefined): string | undefined {
  const three = code === 'XK' ? 'XKX' : alpha2ToAlpha3(code ?? '');
  return FACTS.countries
    .join(' ')
    .split(' ')
    .find((each) => each === three);
}

/** Entries of the days, without those of days that stated sums have. */
export const countedOf = (
  { id, stated }: ModelSource,
  entries: readonly ModelEntry[],
  [from, to]: Days,
): ModelEntry[] =>
  entries.filter(({ source, date }) => {
    const isOfSums = stated !== undefined && date >= stated.from && date <= stated.to;
    return source === id && date >= from && date <= to && !isOfSums;
  });

const DEADLINES = ['08-07', '11-07', '02-07', '05-07'];

/** The ids of entries up to the end of the last day that were recorded after the deadline of their quarter. */
export function lateOf(
  sources: readonly ModelSource[],
  entries: readonly ModelEntry[],
  year: number,
  [calendar, wasCalendar]: readonly [boolean, boolean],
  last: number,
): string[] {
  return DEADLINES.slice(0, last).flatMap((end, at) => {
    const deadline = `${at < 2 ? year : year + 1}-${end}`;
    const days = modelQuarter(year, at + 1, calendar, wasCalendar);
    const counted = sources.flatMap((each) => countedOf(each, entries, days));
    return counted.flatMap(({ id, recorded = '' }) => (recorded > deadline ? id : []));
  });
}

/** Halves go away from zero. `percent` has four decimals. */
function portion(pence: bigint, percent: number): bigint {
  const parts = (pence < 0n ? -pence : pence) * BigInt((percent * 10_000).toFixed(0));
  const up = parts % 1_000_000n >= 500_000n ? 1n : 0n;
  return (pence < 0n ? -1n : 1n) * (parts / 1_000_000n + up);
}

/** By `side category`, of one source, as the account holder's figures. @param assumed where nobody has said so */
export function sourceSums(
  source: ModelSource,
  entries: readonly ModelEntry[],
  days: Days,
  assumed: 'whole' | 'share',
): Sums {
  const sums: Sums = {};
  for (const { side, category, refundOf, pence } of countedOf(source, entries, days)) {
    const other = side === 'income' ? 'expense' : 'income';
    const key = category ? `${side} ${category}` : refundOf ? `${other} ${refundOf}` : undefined;
    if (key) sums[key] = (sums[key] ?? 0n) + BigInt(category ? pence : -pence);
  }
  const isWhole = (source.said ?? assumed) === 'whole';
  const own = Object.fromEntries(
    Object.entries(sums).map(([key, pence]) => [key, isWhole ? portion(pence, source.sharePercent) : pence]),
  );
  const { stated } = source;
  const hasAllDays = stated !== undefined && days[0] <= stated.from && days[1] >= stated.to;
  return hasAllDays ? added([own, stated.sums]) : own;
}

export const added = (all: readonly Sums[]): Sums => {
  const total: Sums = {};
  for (const sums of all)
    for (const [key, pence] of Object.entries(sums)) total[key] = (total[key] ?? 0n) + pence;
  return total;
};

/** Each amount of a summary by its path, in pounds. @param items the sums of each item of `foreignProperty`, or of the business */
export function expectedAmounts(type: string, items: readonly Sums[], isConsolidated: boolean) {
  const amounts: Record<string, number> = {};
  const facts = FACTS[type as Type];
  for (const [index, sums] of items.entries()) {
    for (const [at, side] of SIDES.entries()) {
      const place = (facts.places[at] ?? '').replace('N', String(index));
      const found: Sums = isConsolidated && side === 'expense' ? { consolidatedExpenses: 0n } : {};
      for (const [key, pence] of Object.entries(sums)) {
        const [of, category = ''] = key.split(' ');
        const { path, flags } = factOf(type, side, category);
        if (of !== side || path === '') continue;
        const name =
          isConsolidated && side === 'expense' && !flags.includes('B') ? 'consolidatedExpenses' : path;
        found[name] = (found[name] ?? 0n) + pence;
      }
      if (Object.keys(found).length === 0) for (const name of facts.zeros[at] ?? []) found[name] = 0n;
      for (const [name, pence] of Object.entries(found)) amounts[`${place}.${name}`] = Number(pence) / 100;
    }
  }
  return amounts;
}

/** `field rule` of each amount that HMRC refuses, by the text of its JSON. */
export function expectedViolations(type: string, summary: unknown): string[] {
  const allowed = new Map<string, string>();
  for (const [at, side] of SIDES.entries())
    for (const fact of Object.values(FACTS[type as Type][side])) {
      const [path, flags = ''] = fact.split(' ');
      allowed.set(`${FACTS[type as Type].places[at]}.${path}`, flags);
    }
  allowed.set(`${FACTS[type as Type].places[1]}.consolidatedExpenses`, '±B');
  const amounts = amountsOf(summary);
  return amounts.flatMap(([path, value]) => {
    const flags = allowed.get(path.replace(/^(foreignProperty)\.\d+/, '$1.N'));
    if (flags === undefined) return `${path} unknown`;
    if (value < (flags.includes('±') ? -FACTS.most : 0)) return `${path} minimum`;
    if (value > FACTS.most) return `${path} maximum`;
    const sum = path.replace(/\.expenses\..*$|(periodExpenses)\..*$/, (_, name) =>
      name ? `${name}.consolidatedExpenses` : '.expenses.consolidatedExpenses',
    );
    const isBeside = flags.includes('B') || sum === path || !amounts.some(([each]) => each === sum);
    return [
      ...(isBeside ? [] : [`${path} exclusive`]),
      ...(/^-?\d+(\.\d\d?)?$/.test(JSON.stringify(value)) ? [] : [`${path} decimals`]),
    ];
  });
}

/** The amounts of a summary by their paths: every number in it. */
export const amountsOf = (value: unknown, path = ''): [string, number][] =>
  typeof value === 'number'
    ? [[path, value]]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, each]) =>
          amountsOf(each, path === '' ? name : `${path}.${name}`),
        )
      : [];

/** The sums of the marked income. */
export const turnoverOf = (type: string, sums: Sums, marks: string): bigint =>
  Object.entries(sums)
    .filter(([key]) => {
      const [side, category = ''] = key.split(' ');
      return (
        side === 'income' && [...marks].some((mark) => factOf(type, 'income', category).flags.includes(mark))
      );
    })
    .reduce((total, [, pence]) => total + pence, 0n);

/** Income, expenses and their difference: without tax that was withheld, and without expenses that may be sent beside the one sum. */
export function expectedTotals(type: string, sums: Sums): bigint[] {
  let [income, expenses] = [0n, 0n];
  for (const [key, pence] of Object.entries(sums)) {
    const [side, category = ''] = key.split(' ');
    const { flags } = factOf(type, side as Side, category);
    if (side === 'income' && /t/i.test(flags)) income += pence;
    if (side === 'expense' && flags !== '' && !flags.includes('B')) expenses += pence;
  }
  return [income, expenses, income - expenses];
}

/** The refunds of a source by the category that they reduce. */
export function refundSums(source: ModelSource, entries: readonly ModelEntry[], days: Days): Sums {
  const sums: Sums = {};
  for (const { side, category, refundOf, pence } of countedOf(source, entries, days)) {
    if (category !== null || refundOf === undefined) continue;
    const key = `${side === 'income' ? 'expense' : 'income'} ${refundOf}`;
    sums[key] = (sums[key] ?? 0n) + BigInt(pence);
  }
  if (source.said === 'share') return sums;
  return Object.fromEntries(
    Object.entries(sums).map(([key, pence]) => [key, portion(pence, source.sharePercent)]),
  );
}
