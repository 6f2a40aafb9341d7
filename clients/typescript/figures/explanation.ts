/** The changes of one figure for people: new days as one sum, other entries one by one, shares, and stated sums. All parts add up to the difference. */

import type { CategoryOfType } from './figures.ts';
import type { EntryChange, FigureChange, StatedChange } from './since.ts';
import { type FigureEntry, isRefund } from './snapshot.ts';

interface Sum extends Pick<EntryChange, 'pence' | 'sharePence'> {
  count: number;
}

interface Explanation extends Pick<FigureChange, 'shares' | 'stated'> {
  /** Entries of days after the earlier figures. */
  later: Sum;
  listed: EntryChange[];
  /** Beyond the longest list. */
  others: Sum;
}

const LISTED_MAX = 50;

/** @param to the last day of the earlier figures */
export function explanationOf({ entries, shares, stated }: FigureChange, to: string): Explanation {
  const isLater = ({ kind, now }: EntryChange) => kind === 'added' && now !== undefined && now.date > to;
  const earlier = entries.filter((each) => !isLater(each));
  const [listed, others] = [earlier.slice(0, LISTED_MAX), earlier.slice(LISTED_MAX)];
  return { later: sumOf(entries.filter(isLater)), listed, others: sumOf(others), shares, stated };
}

const sumOf = (changes: readonly EntryChange[]): Sum => ({
  count: changes.length,
  pence: changes.reduce((sum, { pence }) => sum + pence, 0n),
  sharePence: changes.reduce((sum, { sharePence }) => sum + sharePence, 0n),
});

export const isShared = ({ before, now, shares, entries }: FigureChange): boolean =>
  shares.length > 0 || [before, now, ...entries].some(({ pence, sharePence }) => pence !== sharePence);

/** The entry of a change as it is now, or as it was. */
export const entryOfChange = ({ before, now }: EntryChange) => now ?? before;

/** @param pounds formats an amount. @param nameOf a category, beside the entry that is in it */
export function changeReason(
  { kind, isHere, before, now }: EntryChange,
  pounds: (pence: number) => string,
  nameOf: (category: CategoryOfType, entry: FigureEntry) => string = ({ category }) => category,
): string {
  const other = isHere ? before : now;
  const verb = isHere ? 'was' : 'is now';
  switch (kind) {
    case 'added':
      return 'added';
    case 'removed':
      return 'removed, or its date is outside of the period or within stated sums';
    case 'corrected':
      return `its amount was ${pounds(before?.amountPence ?? 0)}`;
    case 'moved':
      return `${verb} in ${other?.source.name}`;
    case 'recategorised':
      return `${verb} ${other?.figure ? `${isRefund(other) ? 'a refund of ' : ''}${nameOf(other.figure, other)}` : 'without a category'}`;
  }
}

/** @param pounds formats an amount */
export const statedReason = ({ source, before, now }: StatedChange, pounds: (pence: bigint) => string) =>
  `the stated sum of ${source.name} is ${pounds(now)} instead of ${pounds(before)}`;
