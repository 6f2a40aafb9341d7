/** Buttons that download the shown entries as a file. */
import type { Transaction } from '../../typescript/index.ts';
import { download } from '../download.ts';
import { type ExportFormat, exported } from './export.ts';
import type { Query } from './reading.ts';

export interface DownloadProps {
  entries: readonly Transaction[];
  query: Query;
}

const MEDIA_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv;charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export function Download({ entries, query }: DownloadProps) {
  const make = (format: ExportFormat) =>
    download(`${nameOf(query)}.${format}`, exported(entries, format), MEDIA_TYPES[format]);
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
function nameOf({ source, from, to }: Query): string {
  const name = [source.name, from, to].filter(Boolean).join(' ');
  return (
    name
      .replace(/[\p{C}<>:"/\\|?*]/gu, '_')
      .replace(/^\.+|[. ]+$/g, '')
      .slice(0, 100) || 'entries'
  );
}
