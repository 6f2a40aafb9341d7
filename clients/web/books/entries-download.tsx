/** Buttons that download the shown entries: a file for each property or business, because a file is imported into one. */

import { csvOf } from '../../typescript/export/csv.ts';
import { EXPORT_COLUMNS, exportCells } from '../../typescript/export/export-rows.ts';
import { workbookOf } from '../../typescript/export/workbook.ts';
import type { Source, Transaction } from '../../typescript/index.ts';
import { download } from '../page/download.ts';
import type { Query } from './books-reader.ts';
import type { BooksEntry } from './labels.ts';

interface DownloadProps {
  entries: readonly BooksEntry[];
  query: Query;
}

export const MEDIA_TYPES: Record<DownloadFormat, string> = {
  csv: 'text/csv;charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export function Download({ entries, query }: DownloadProps) {
  const make = (format: DownloadFormat) => {
    for (const source of query.sources) {
      const own = entries.filter((entry) => entry.source.id === source.id);
      if (own.length === 0) continue;
      download(`${fileNameOf(source, query)}.${format}`, exportedBytes(own, format), MEDIA_TYPES[format]);
    }
  };
  return (
    <>
      <button type="button" onClick={() => make('csv')}>
        Download CSV
      </button>
      <button type="button" onClick={() => make('xlsx')}>
        Download XLSX
      </button>
    </>
  );
}

/** `Flat 2 2025-04-06 2026-04-05`, without the characters that file systems refuse. */
function fileNameOf(source: Source, { from, to }: Query): string {
  const name = [source.name, from, to].filter(Boolean).join(' ');
  return (
    name
      .replace(/[\p{C}<>:"/\\|?*]/gu, '_')
      .replace(/^\.+|[. ]+$/g, '')
      .slice(0, 100) || 'entries'
  );
}

type DownloadFormat = 'csv' | 'xlsx';

/** Entries as a file that `ledger push` and the Import tab read back. */
function exportedBytes(
  entries: readonly Transaction[],
  format: DownloadFormat,
): string | Uint8Array<ArrayBuffer> {
  const rows = [[...EXPORT_COLUMNS], ...entries.map(exportCells)];
  // No spreadsheet changes an amount, a date or a reference in a workbook whose cells are all text.
  return format === 'csv' ? csvOf(rows) : workbookOf('entries', { Entries: rows });
}
