/** Writes a model's file as bytes. */
import { type WorkbookCell, workbook } from '../workbook.ts';
import type { ModelFile } from './model.ts';

export function bytesOf(file: ModelFile): Uint8Array {
  if (file.format === 'xlsx') return workbookBytes(file);
  const text = file.changesOfText.reduce((text, change) => change(text), textOf(file));
  return file.encode(text);
}

function textOf({ columns, before, rows, delimiter }: ModelFile): string {
  const line = (cells: readonly string[]) => cells.map((cell) => quoted(cell, delimiter)).join(delimiter);
  const lines = rows.map(
    ({ fields }) => fields.line ?? line(columns.map(({ field }) => fields[field] ?? '')),
  );
  return [...before, line(columns.map(({ name }) => name)), ...lines, ''].join('\n');
}

const quoted = (cell: string, delimiter: string) =>
  cell.includes(delimiter) || /["\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

const DAY_0 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = 1_462;

/** Dates are serial numbers, amounts are numbers, and a row may be hidden or in euros. */
function workbookBytes({ columns, rows, sheet }: ModelFile): Uint8Array {
  const { hiddenRows, isHidden, is1904, euroRows, momentLacking } = sheet;
  const cellOf = (field: string, text: string, index: number): WorkbookCell => {
    if (field === 'date' && /^\d{4}-/.test(text)) {
      const serial = (Date.parse(text) - DAY_0) / 86_400_000 - (is1904 ? EPOCH_1904 : 0);
      return { dateSerial: serial - momentLacking };
    }
    const isAmount = field === 'amount' && /^-?\d/.test(text);
    return isAmount ? { number: text, isPlain: !euroRows.has(index) } : text;
  };
  const table: WorkbookCell[][] = [
    columns.map(({ name }) => name),
    ...rows.map(({ fields }, index) => columns.map(({ field }) => cellOf(field, fields[field] ?? '', index))),
  ];
  const numbered = Object.fromEntries(table.map((cells, index) => [index + 1, cells]));
  const entries = {
    name: 'Entries',
    rows: numbered,
    hiddenRows: [...hiddenRows].map((row) => row + 2),
    isHidden,
  };
  const shown = isHidden ? [{ name: 'Shown', rows: { 1: ['A note'] } }] : [];
  return workbook([entries, ...shown], { format: '[$€-407]#,##0.00', is1904 });
}
