/** The entries of a period, each with the figure that it is in: the base of a comparison, and of a workbook with formulas. */
import type { Days } from '../days.ts';
import type { StoredEntry } from '../match/stored-books.ts';
import type { Source, Transaction } from '../resources.ts';
import { type FiguresLine, percentOf } from './period-figures.ts';
import type { PeriodFigures, YearFigures } from './year.ts';

export interface FigureSource extends Pick<Source, 'id' | 'name' | 'type' | 'countryCode'> {
  /** The share of the source in the sum of its entries, in per cent. */
  percent: number;
  /** Stated sums, which are in figures without entries. */
  stated: readonly (FigureKey & { pence: bigint })[];
}

type FigureKey = Pick<FiguresLine, 'type' | 'category'>;

export interface FigureEntry extends Transaction {
  source: FigureSource;
  /** Null: no category, and no rule sets it against one. A refund has a figure and no category. */
  figure: FigureKey | null;
}

export interface Snapshot extends Days {
  sources: readonly FigureSource[];
  entries: ReadonlyMap<string, FigureEntry>;
}

export const isRefund = ({ figure, category }: Pick<FigureEntry, 'figure' | 'category'>): boolean =>
  figure !== null && category === null;

/** The part of the entry in its figure. A refund reduces it. */
export const figurePence = (entry: Pick<FigureEntry, 'figure' | 'category' | 'amountPence'>): bigint =>
  BigInt(isRefund(entry) ? -entry.amountPence : entry.amountPence);

/** The entries of the last period, which has all others in it, in the order of `byId`. */
export function snapshotOf(
  { periods }: Pick<YearFigures, 'periods'>,
  byId: ReadonlyMap<string, StoredEntry>,
): Snapshot {
  const { from, to, businesses } = periods.at(-1) as PeriodFigures;
  const figures = new Map<string, FigureKey | null>();
  const sources = new Map<string, FigureSource>();
  for (const own of businesses.flatMap((business) => business.sources)) {
    const { source, lines, withoutCategory } = own;
    const stated = own.stated?.isCounted ? own.stated.sums : [];
    sources.set(source.id, { ...source, percent: percentOf(own), stated });
    for (const id of withoutCategory.ids) figures.set(id, null);
    for (const { type, category, ids, refundIds } of lines)
      for (const id of [...ids, ...refundIds]) figures.set(id, { type, category });
  }
  const entries = new Map<string, FigureEntry>();
  for (const [id, { stored, source }] of byId) {
    const [figure, figureSource] = [figures.get(id), sources.get(source.id)];
    if (figure !== undefined && figureSource) entries.set(id, { ...stored, source: figureSource, figure });
  }
  return { from, to, sources: [...sources.values()], entries };
}
