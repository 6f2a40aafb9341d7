/** The report of an import, as CSV: every row of the files, with its outcome. */
import { reportCsv as csvOfReport, reportRows } from '../../../typescript/send/push-report.ts';
import type { Sending } from '../sending.ts';

export function reportCsv({ shown, outcomes, error }: Sending): string {
  const rows = shown.files.flatMap(({ name, statement }) => {
    const own = shown.entries.flatMap((read, index) => (read.file === name ? [{ read, index }] : []));
    const again = shown.repeated.flatMap(({ file, row, first }) =>
      file === name ? { row, reason: `It repeats row ${first.row} of ${first.file}.` } : [],
    );
    const entries = own.map(({ read }) => read);
    return reportRows(
      { ...statement, name, entries, skipped: [...statement.skipped, ...again] },
      own.map(({ index }) => outcomes[index]),
      error?.message,
    );
  });
  return csvOfReport(rows);
}
