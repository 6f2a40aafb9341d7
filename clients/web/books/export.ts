/** Entries as a file that `ledger push` and the Import tab read back. */
import { csvOf } from '../../typescript/export/csv.ts';
import { EXPORT_COLUMNS, exportCells } from '../../typescript/export/export-rows.ts';
import { workbookOf } from '../../typescript/export/workbook.ts';
import type { Transaction } from '../../typescript/index.ts';

export type ExportFormat = 'csv' | 'xlsx';

export function exported(
  entries: readonly Transaction[],
  format: ExportFormat,
): string | Uint8Array<ArrayBuffer> {
  const rows = [[...EXPORT_COLUMNS], ...entries.map(exportCells)];
  // No spreadsheet changes an amount, a date or a reference in a workbook whose cells are all text.
  return format === 'csv' ? csvOf(rows) : workbookOf('entries', { Entries: rows });
}
