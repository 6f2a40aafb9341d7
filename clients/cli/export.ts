/** Files of entries, as `ledger pull` writes them and `ledger push` reads them back. */
import Papa from 'papaparse';
import { EXPORT_COLUMNS, exportCells } from '../typescript/books/export-rows.ts';
import { workbookOf } from '../typescript/books/workbook.ts';
import type { Transaction } from '../typescript/index.ts';

export type ExportFormat = 'csv' | 'xlsx' | 'json' | 'ndjson';

/** Formats the transactions as they arrive. Only XLSX holds all of them in memory. */
export async function* exported(
  transactions: AsyncIterable<Transaction>,
  format: ExportFormat,
): AsyncGenerator<string | Uint8Array> {
  switch (format) {
    case 'csv': {
      // Not before the first entry: if the service refuses the request, nothing is written.
      let header = `${EXPORT_COLUMNS.join(',')}\r\n`;
      for await (const each of transactions) {
        yield `${header}${Papa.unparse([exportCells(each)])}\r\n`;
        header = '';
      }
      yield header;
      return;
    }
    case 'ndjson':
      for await (const each of transactions) yield `${JSON.stringify(each)}\n`;
      return;
    case 'json': {
      let separator = '[\n';
      for await (const each of transactions) {
        yield separator + JSON.stringify(each);
        separator = ',\n';
      }
      yield separator === '[\n' ? '[]\n' : '\n]\n';
      return;
    }
    case 'xlsx': {
      const rows: string[][] = [[...EXPORT_COLUMNS]];
      for await (const each of transactions) rows.push(exportCells(each));
      // No spreadsheet changes an amount, a date or a reference in a workbook whose cells are all text.
      yield workbookOf(rows);
    }
  }
}
