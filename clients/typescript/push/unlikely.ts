/** Probably mistyped dates of new entries. Entries are permanent, so a person has to confirm or see each such date. */
import type { Warning } from '../import/result.ts';
import type { FileEntry, FileResult } from '../match/row.ts';

/** The warnings about new entries, each with the name of its file. */
export function warningsOf(
  sending: readonly FileEntry[],
  files: readonly FileResult[],
): (Warning & { file: string })[] {
  return files.flatMap(({ name: file, result }) => {
    const rows = new Set(sending.flatMap((entry) => (entry.file === file ? entry.row : [])));
    return result.warnings.filter(({ row }) => rows.has(row)).map((warning) => ({ ...warning, file }));
  });
}

/** The unlikely dates of new entries, without the `allowed` ones. */
export const unlikelyOf = (
  sending: readonly FileEntry[],
  files: readonly FileResult[],
  allowed: readonly string[],
) => warningsOf(sending, files).filter(({ field, value }) => field === 'date' && !allowed.includes(value));
