/** The report of a push, as CSV: what became of each row of the file. */
import { reportCsv as csvOfReport, reportRows } from '../../typescript/books/push-report.ts';
import type { ImportResult } from '../../typescript/import/index.ts';
import type { PushState } from './push.ts';

export function reportCsv(
  { skipped, invalid }: ImportResult,
  { entries, outcomes, error }: PushState,
): string {
  return csvOfReport(reportRows({ entries: [...entries], skipped, invalid }, outcomes, error?.message));
}
