/** The report of an import, as CSV: what became of each row of the file. */
import { reportCsv as csvOfReport, reportRows } from '../../../typescript/books/push-report.ts';
import type { ImportResult } from '../../../typescript/import/index.ts';
import { type Sending, settled } from '../sending.ts';

export function reportCsv(
  { skipped, invalid, leftOut }: ImportResult,
  sending: Sending,
  name: string,
): string {
  const { stored, entries, elsewhere, error } = sending;
  const outcomes = settled(sending).map(({ outcome }) => outcome);
  const rows = {
    name,
    entries: [...stored.entries, ...entries],
    skipped: [...skipped, ...elsewhere],
    invalid,
    leftOut,
  };
  return csvOfReport(reportRows(rows, outcomes, error?.message));
}
