/** The report of a push, as CSV: what became of each row of the file. */
import Papa from 'papaparse';
import { withoutFormula } from '../../typescript/books/export-rows.ts';
import { REPORT_COLUMNS, reportRows } from '../../typescript/books/push-report.ts';
import type { ImportResult } from '../../typescript/import/index.ts';
import type { PushState } from './push.ts';

/** No text of it is a formula for a spreadsheet. */
export function reportCsv(
  { skipped, invalid }: ImportResult,
  { entries, outcomes, error }: PushState,
): string {
  const rows = reportRows({ entries: [...entries], skipped, invalid }, outcomes, error?.message);
  const cells = rows.map((row) => REPORT_COLUMNS.map((column) => withoutFormula(String(row[column]))));
  return `${Papa.unparse([[...REPORT_COLUMNS], ...cells])}\r\n`;
}
