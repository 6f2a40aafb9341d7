/** What `push` says of rows that are probably known, and the two ways to decide about them. */
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
}

export function probableOf(entries: readonly FileEntry[], { rows }: Comparison): Probable[] {
  return rows.flatMap(({ probably }, index) => {
    if (!probably) return [];
    const { file, row, part } = entries[index] as FileEntry;
    const { id, date, description, amountPence } = probably.stored;
    return [{ file, row, ...(part !== undefined && { part }), id, date, description, amountPence }];
  });
}

/** Each row beside the stored entry that it probably is. */
export function probableLines(entries: readonly FileEntry[], comparison: Comparison): string[] {
  const shown = entries.flatMap(({ row, part, entry }, index) => {
    const stored = comparison.rows[index]?.probably?.stored;
    if (!stored) return [];
    return {
      row: part === undefined ? row : `${row}#${part}`,
      amount: pounds(entry.amountPence),
      date: entry.date,
      description: startOf(entry.description ?? ''),
      stored: stored.date,
      'stored description': startOf(stored.description ?? ''),
    };
  });
  if (shown.length === 0) return [];
  const more = shown.length - SHOWN;
  return [
    `${counted(shown.length, 'entry is', 'entries are')} probably known: the books have the amount and almost the date, and no row of the files is that entry.`,
    ...table(shown.slice(0, SHOWN)),
    ...(more > 0 ? [`… and ${more} more`] : []),
    '',
  ];
}

export const UNDECIDED = [
  'Nothing was sent. Are these rows the stored entries?',
  'If so, add --leave-probable to send the others. If they are payments of their own, add --send-probable.',
];
