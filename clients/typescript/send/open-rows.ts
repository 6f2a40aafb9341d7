/** The rows of a file without a decision, and the period of the books that suggest rules for them. */

import type { Period } from '../days.ts';
import type { EntryType } from '../import/options.ts';
import type { ImportResult } from '../import/result.ts';
import { daysOfFiles, type ReadFile } from '../match/row.ts';

interface OpenRow {
  row: number;
  description: string;
  type: EntryType;
}

/** The number of years before the files whose entries suggest rules. */
const YEARS = 1;

/** Entries for the review queue, and rows without a source. */
export function openRows({ entries, invalid }: Pick<ImportResult, 'entries' | 'invalid'>): OpenRow[] {
  const unsorted = entries.flatMap(({ row, entry: { category, description = '', type }, rule }) =>
    category === undefined && rule === undefined ? { row, description, type } : [],
  );
  const undecided = invalid.filter(({ field, option }) => field === 'source' && option === 'rules');
  const types = ['income', 'expense'] as const;
  return [
    ...unsorted,
    ...undecided.flatMap(({ row, value }) => types.map((type) => ({ row, description: value, type }))),
  ];
}

/** The period of the files and the year before. */
export function suggestingPeriod(files: readonly ReadFile[]): Period {
  const { from, to } = daysOfFiles(files);
  return from === undefined ? {} : { from: yearsBefore(from), to };
}

function yearsBefore(day: string): string {
  const year = Math.max(Number(day.slice(0, 4)) - YEARS, 1);
  return `${String(year).padStart(4, '0')}-${day.slice(5) === '02-29' ? '02-28' : day.slice(5)}`;
}
