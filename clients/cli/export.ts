/** Files of entries: `ledger pull` writes them, and `ledger push` can read them. */
import { printableJson } from '../../platform/terminal.ts';
import { csvOf } from '../typescript/export/csv.ts';
import { EXPORT_COLUMNS, exportCells } from '../typescript/export/export-rows.ts';
import { workbookOf } from '../typescript/export/workbook.ts';
import type { Transaction } from '../typescript/index.ts';

export type ExportFormat = 'csv' | 'xlsx' | 'json' | 'ndjson';

/**
 * Formats the transactions as they arrive. Only XLSX holds all of them in memory.
 * @param cell formats a cell of CSV
 */
export async function* exported(
  transactions: AsyncIterable<Transaction>,
  format: ExportFormat,
  cell = (text: string) => text,
): AsyncGenerator<string | Uint8Array> {
  switch (format) {
    case 'csv': {
      // Written with the first entry: a refused request writes nothing.
      let header = csvOf([EXPORT_COLUMNS]);
      for await (const each of transactions) {
        yield header + csvOf([exportCells(each).map(cell)]);
        header = '';
      }
      yield header;
      return;
    }
    case 'ndjson':
      for await (const each of transactions) yield `${printableJson(each)}\n`;
      return;
    case 'json': {
      let separator = '[\n';
      for await (const each of transactions) {
        yield separator + printableJson(each);
        separator = ',\n';
      }
      yield separator === '[\n' ? '[]\n' : '\n]\n';
      return;
    }
    case 'xlsx': {
      const rows: string[][] = [[...EXPORT_COLUMNS]];
      for await (const each of transactions) rows.push(exportCells(each));
      // All cells are text, so that no spreadsheet changes an amount, a date or a reference.
      yield workbookOf('entries', { Entries: rows });
    }
  }
}
