/** The rows that a rule is suggested for, and the period whose entries suggest one. */
import type { Period } from '../days.ts';
import type { EntryType } from '../import/options.ts';
import type { ImportResult } from '../import/result.ts';
import { isWithoutSource } from '../import/rules/problems.ts';
import { daysOfFiles, type FileResult } from '../match/row.ts';

/** A row to suggest a rule for. */
export interface UnsortedRow {
  row: number;
  description: string;
  type: EntryType;
}

/** Rows that no rule and no column sorts: entries for the review queue, and rows without a source. */
export function unsortedRows({ entries, invalid }: Pick<ImportResult, 'entries' | 'invalid'>): UnsortedRow[] {
  const withoutCategory = entries.flatMap(({ row, entry: { category, description = '', type }, rule }) =>
    category === undefined && rule === undefined ? { row, description, type } : [],
  );
  const withoutSource = invalid.filter(isWithoutSource);
  const types = ['income', 'expense'] as const;
  return [
    ...withoutCategory,
    ...withoutSource.flatMap(({ row, value }) => types.map((type) => ({ row, description: value, type }))),
  ];
}

/** The number of years before the files whose entries suggest rules. */
const YEARS = 1;

/** The period of the files and the year before. */
export function suggestingPeriod(files: readonly FileResult[]): Period {
  const { from, to } = daysOfFiles(files);
  return from === undefined ? {} : { from: yearsBefore(from), to };
}

function yearsBefore(day: string): string {
  const year = Math.max(Number(day.slice(0, 4)) - YEARS, 1);
  return `${String(year).padStart(4, '0')}-${day.slice(5) === '02-29' ? '02-28' : day.slice(5)}`;
}
