/** Buttons that download the shown entries as a file. */
import { useState } from 'preact/hooks';
import type { Transaction } from '../../typescript/index.ts';
import { download } from '../download.ts';
import type { ExportFormat } from './export.ts';
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
  const [problem, setProblem] = useState<string>();
  const make = async (format: ExportFormat) => {
    setProblem(undefined);
    try {
      const { exported } = await import('./export.ts');
      download(`${nameOf(query)}.${format}`, exported(entries, format), MEDIA_TYPES[format]);
    } catch {
      setProblem('The file could not be made. Check your connection and try again.');
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
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
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
