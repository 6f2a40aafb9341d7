/** Answers of the state of an import to questions of the views: its target, the rows to correct, whether it can be sent. */
import type { ImportResult } from '../../typescript/import/result.ts';
import type { Source } from '../../typescript/index.ts';
import { rowsWithoutSource } from '../../typescript/match/without-source.ts';
import { blockersOf } from '../../typescript/push/blockers.ts';
import { count, counted } from '../page/format.ts';
import type { Facts, ImportState } from './state.ts';

/**
 * Whether there is something to send or to see, and nothing prevents it. Without the books it is unknown which rows are new, and whether
 * the files belong to another source. A row that is probably in the books needs a decision.
 */
export function canPush({ files, merged, isBusy, compared, isSourceConfirmed }: ImportState): boolean {
  if (files.some(({ problem }) => problem) || merged.unnamed || isBusy || !compared) return false;
  if (merged.entries.length === 0 && compared.leftOutAndStored.length === 0) return false;
  return blockersOf(compared, { invalid: true, anotherSource: isSourceConfirmed }).length === 0;
}

/** Whether closing the tab would lose something: entries that are being sent, or edits that are not all sent. */
export function isWorkAtRisk({ push, files }: Pick<Facts, 'push' | 'files'>): boolean {
  if (push?.status === 'done' && push.changed.length === 0) return false;
  const isEdited = files.some(({ corrections }) => corrections.size > 0);
  return isEdited || (push !== undefined && push.status !== 'failed');
}

/** The sources that entries of the files are for. */
export function targetSources({ merged, sources, source }: ImportState): Source[] {
  const ids = new Set(merged.entries.map((read) => read.source?.id ?? source?.id));
  return sources.filter(({ id }) => ids.has(id));
}

/** The source or sources of the entries, for people. */
export function targetOf(state: ImportState): string {
  const sources = targetSources(state);
  const [only = state.source] = sources;
  if (sources.length > 1) return `${sources.length} properties and businesses`;
  return only?.name ?? 'your books';
}

/** The name of the file, or how many there are. */
export const nameOfFiles = (files: readonly { name: string }[]): string =>
  files.length === 1 ? (files[0]?.name ?? '') : counted(files.length, 'file');

/** The number of a row, with its file if there are several. */
export const rowLabel = (
  { files }: Pick<Facts, 'files'>,
  { row, file }: { row: number; file: string },
): string => (files.length === 1 ? count(row) : `${count(row)} of ${file}`);

/** How many rows need a correction or have to be left out. */
export function invalidRows(results: readonly (Pick<ImportResult, 'invalid'> | undefined)[]): InvalidRows {
  const counts = { toCorrect: 0, withoutProperty: 0 };
  for (const result of results) {
    if (!result) continue;
    const withoutProperty = rowsWithoutSource(result).size;
    counts.withoutProperty += withoutProperty;
    counts.toCorrect += new Set(result.invalid.map(({ row }) => row)).size - withoutProperty;
  }
  return counts;
}

export interface InvalidRows {
  toCorrect: number;
  /** Rows that wait for a property or business: nothing decides where they belong. */
  withoutProperty: number;
}
