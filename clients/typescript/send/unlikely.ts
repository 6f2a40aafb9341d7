/** Probably mistyped dates of new entries. Entries are permanent, so a person has to confirm or see each such date. */
import type { ReadEntry, Warning } from '../import/options.ts';
import type { FileEntry, ReadFile } from '../match/row.ts';

/** The warnings about new entries, each with the name of its file. */
export function warningsOf(
  sending: readonly FileEntry[],
  files: readonly ReadFile[],
): (Warning & { file: string })[] {
  return files.flatMap(({ name: file, statement }) => {
    const sent = sending.filter((each) => each.file === file);
    return warningsOfRows(sent, statement.warnings).map((warning) => ({ ...warning, file }));
  });
}

/** The unlikely dates of new entries, without the `allowed` ones. */
export const unlikelyOf = (
  sending: readonly FileEntry[],
  files: readonly ReadFile[],
  allowed: readonly string[],
) => warningsOf(sending, files).filter(({ field, value }) => field === 'date' && !allowed.includes(value));

/** The unlikely dates of the entries of one file. */
export const unlikelyRows = (sending: readonly ReadEntry[], warnings: readonly Warning[]) =>
  warningsOfRows(sending, warnings).filter(({ field }) => field === 'date');

function warningsOfRows(sending: readonly ReadEntry[], warnings: readonly Warning[]): Warning[] {
  const rows = new Set(sending.map(({ row }) => row));
  return warnings.filter(({ row }) => rows.has(row));
}
