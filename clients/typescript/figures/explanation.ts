/** The changes of one figure for people: new days as one sum, other entries one by one, shares, and stated sums. All parts add up to the difference. */

import type { CategoryOfType } from './period-figures.ts';
import type { EntryChange, FigureChange } from './since.ts';
import { type FigureEntry, isRefund } from './snapshot.ts';

interface ChangesSum extends Pick<EntryChange, 'pence' | 'sharePence'> {
  count: number;
}

const EARLIER_LISTED_MAX = 50;

const sumOfChanges = (changes: readonly EntryChange[]): ChangesSum => ({
  count: changes.length,
  pence: changes.reduce((sum, { pence }) => sum + pence, 0n),
  sharePence: changes.reduce((sum, { sharePence }) => sum + sharePence, 0n),
});

export const isShared = ({ before, now, shares, entries }: FigureChange): boolean =>
  shares.length > 0 || [before, now, ...entries].some(({ pence, sharePence }) => pence !== sharePence);

/** How a program writes the parts of an explanation. */
interface Wording {
  pounds: (pence: number | bigint) => string;
  dayText?: (day: string) => string;
  /** Writes a description. */
  textOf?: (text: string) => string;
  /** A category, beside the entry that is in it. */
  nameOf?: (category: CategoryOfType, entry: FigureEntry) => string;
  /** Where the entries beyond the longest list are. */
  place?: string;
}

/** A part of the difference, for people. */
interface DifferencePart extends Pick<EntryChange, 'pence' | 'sharePence'> {
  because: string;
}

/** The parts of a change, which add up to its difference. @param to the last day of the earlier figures */
export function differencesOf(
  { entries, shares, stated }: FigureChange,
  to: string,
  wording: Wording,
): DifferencePart[] {
  const { pounds, dayText = (day) => day, textOf = (text) => text, nameOf, place = '' } = wording;
  const isLater = ({ kind, now }: EntryChange) => kind === 'added' && now !== undefined && now.date > to;
  const earlier = entries.filter((each) => !isLater(each));
  const sum = ({ count, ...sums }: ChangesSum, one: string, many: string, end: string) =>
    count === 0
      ? []
      : [{ ...sums, because: `${count.toLocaleString('en')} ${count === 1 ? one : many}${end}` }];
  return [
    ...sum(sumOfChanges(entries.filter(isLater)), 'entry', 'entries', ` after ${dayText(to)}`),
    ...earlier.slice(0, EARLIER_LISTED_MAX).map((each) => {
      const { date = '', description } = each.now ?? each.before ?? {};
      const reason = `(${changeReason(each, pounds, nameOf)})`;
      return {
        ...each,
        because: [dayText(date), textOf(description ?? ''), reason].filter(Boolean).join(' '),
      };
    }),
    ...sum(sumOfChanges(earlier.slice(EARLIER_LISTED_MAX)), 'more entry', 'more entries', place),
    ...shares.map(({ before, now, sharePence }) => ({
      pence: 0n,
      sharePence,
      because: `${now.name} at ${now.percent} % instead of ${before.percent} %`,
    })),
    ...stated.map(({ source, before, now, pence }) => ({
      pence,
      sharePence: pence,
      because: `the stated sum of ${source.name} is ${pounds(now)} instead of ${pounds(before)}`,
    })),
  ];
}

/** @param pounds formats an amount. @param nameOf a category, beside the entry that is in it */
function changeReason(
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
