/** Entries as a file that `ledger push` and the Import tab read back. Loaded when a file is wanted. */
import Papa from 'papaparse';
import writeExcelFile from 'write-excel-file/browser';
import { EXPORT_COLUMNS, exportCells } from '../../typescript/books/export-rows.ts';
import type { Transaction } from '../../typescript/index.ts';

export type ExportFormat = 'csv' | 'xlsx';

/** All cells of a workbook are text, so that no spreadsheet changes an amount, a date or a reference. */
export async function exported(
  entries: readonly Transaction[],
  format: ExportFormat,
): Promise<string | Uint8Array<ArrayBuffer>> {
  const rows = entries.map(exportCells);
  if (format === 'csv') return `${Papa.unparse([[...EXPORT_COLUMNS], ...rows])}\r\n`;
  const header = EXPORT_COLUMNS.map((value) => ({ value, type: String, fontWeight: 'bold' as const }));
  const texts = rows.map((row) => row.map((value) => ({ value, type: String })));
  const workbook = await writeExcelFile([header, ...texts]).toBlob();
  return new Uint8Array(await workbook.arrayBuffer());
}
