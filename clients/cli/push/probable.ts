/** Messages about rows that are probably known or corrected, and the ways to decide about them. */
import type { Comparison } from '../../typescript/books/comparison.ts';
import type { FileEntry } from '../../typescript/books/joined-files.ts';
import { pounds } from '../../typescript/books/pounds.ts';
import { counted, startOf, table } from '../output.ts';

const SHOWN = 20;

export interface Probable {
  file: string;
  row: number;
  part?: number;
  /** Of the stored entry. */
  id: string;
  date: string;
  description: string | null;
  amountPence: number;
  /** The row probably corrects the amount or the type of the entry. */
  isEarlierVersion: boolean;
}

export function probableOf(entries: readonly FileEntry[], { rows }: Comparison): Probable[] {
  return rows.flatMap(({ probably }, index) => {
    if (!probably) return [];
    const { file, row, part } = entries[index] as FileEntry;
    const { isEarlierVersion, stored } = probably;
    const { id, date, description, amountPence } = stored;
    const place = { file, row, ...(part !== undefined && { part }) };
    return [{ ...place, id, date, description, amountPence, isEarlierVersion }];
  });
}

/** Shows each row beside the stored entry that it probably repeats. */
export function probableLines(entries: readonly FileEntry[], comparison: Comparison): string[] {
  return [
    ...linesOf(entries, comparison, false, (count) => {
      const are = counted(count, 'entry is', 'entries are');
      return `${are} probably known: the books have the amount and almost the date, and no row of the files is that entry.`;
    }),
    ...linesOf(entries, comparison, true, (count) => {
      const are = counted(count, 'row is probably a correction', 'rows are probably corrections');
      return `${are}: the books have the description and almost the date with another amount or source, and no row of the files is that entry.`;
    }),
  ];
}

function linesOf(
  entries: readonly FileEntry[],
  { rows }: Comparison,
  isEarlierVersion: boolean,
  title: (count: number) => string,
): string[] {
  const isAnyElsewhere = rows.some(({ probably }) => probably?.isElsewhere);
  const shown = entries.flatMap(({ row, part, entry }, index) => {
    const probably = rows[index]?.probably;
    if (!probably || probably.isEarlierVersion !== isEarlierVersion) return [];
    const { stored } = probably;
    return {
      row: part === undefined ? row : `${row}#${part}`,
      amount: pounds(entry.amountPence),
      date: entry.date,
      description: startOf(entry.description ?? ''),
      stored: stored.date,
      'stored amount': pounds(stored.amountPence),
      'stored description': startOf(stored.description ?? ''),
      ...(isAnyElsewhere && { 'stored in': probably.source.name }),
    };
  });
  if (shown.length === 0) return [];
  const more = shown.length - SHOWN;
  return [
    title(shown.length),
    ...table(shown.slice(0, SHOWN)),
    ...(more > 0 ? [`… and ${more} more`] : []),
    '',
  ];
}

export const undecidedLines = (decide: string | undefined): string[] => [
  'Nothing was sent. Are these rows the stored entries?',
  ...(decide === undefined
    ? [
        'If all are, add --leave-probable to send the others; rows that may be the same entry stay open. If all are payments of their own, add --send-probable. To decide row by row, add --decide decisions.csv.',
      ]
    : [
        `${decide} has a line for each: write leave (the stored entry) or send (a payment of its own), and run the command again. Of rows that may be the same entry, leave one.`,
      ]),
  'A stored entry that is wrong has to be corrected in the app: see `ledger reconcile --corrections`.',
];
