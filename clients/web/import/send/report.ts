/** The report of an import, as CSV: what became of each row of the file. */
import { reportCsv as csvOfReport, reportRows } from '../../../typescript/books/push-report.ts';
import type { Sending } from '../sending.ts';

export function reportCsv({ shown, outcomes, error }: Sending): string {
  const rows = shown.files.flatMap(({ name, statement }) =>
    reportRows({ ...statement, name }, outcomes, error?.message),
  );
  return csvOfReport(rows);
}
