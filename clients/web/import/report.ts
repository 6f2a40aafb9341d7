/** The report of a push: what became of each row of the file. */
import Papa from 'papaparse';
import type { ImportResult } from '../../typescript/import/index.ts';
import type { PushState } from './push.ts';

const COLUMNS = ['row', 'status', 'id', 'reference', 'detail'] as const;

export interface ReportRow extends Record<(typeof COLUMNS)[number], string | number> {
  row: number;
  status: string;
}

export function reportRows(
  { skipped, invalid }: ImportResult,
  { entries, outcomes, error }: PushState,
): ReportRow[] {
  const sent = entries.map(({ row, entry }, index) => {
    const outcome = outcomes[index];
    const detail = outcome?.status === 'conflict' ? `differs in ${outcome.fields.join(', ')}` : '';
    return {
      row,
      status: outcome?.status ?? 'not sent',
      id: outcome?.id ?? '',
      reference: entry.externalRef ?? '',
      detail: outcome ? detail : (error?.message ?? ''),
    };
  });
  const none = { id: '', reference: '' };
  const others = [
    ...skipped.map(({ row, reason }) => ({ row, status: 'skipped', ...none, detail: reason })),
    ...invalid.map(({ row, column, message }) => ({
      row,
      status: 'invalid',
      ...none,
      detail: `${column}: ${message}`,
    })),
  ];
  return [...sent, ...others].sort((one, other) => one.row - other.row);
}

/** As CSV; no text of it is a formula for a spreadsheet. */
export function reportCsv(rows: readonly ReportRow[]): string {
  return `${Papa.unparse([...rows], { columns: [...COLUMNS], escapeFormulae: true })}\r\n`;
}
