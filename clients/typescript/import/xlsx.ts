/** XLSX workbooks to rows. Numbers become the decimal text that Excel shows, and dates become YYYY-MM-DD. */
import { unzipSync } from 'fflate';
import readXlsxFile from 'read-excel-file/universal';
import { cleanCell, type TableRow } from './cells.ts';
import { type DecimalMark, ImportError } from './options.ts';

/** Bounds the memory that a small, hostile archive can take. 20,000 rows unpack to about 8 MB. */
const UNPACKED_BYTES_MAX = 200_000_000;

/** A number cell keeps the text of the file, so that it never passes through a fraction. */
class NumberText {
  constructor(readonly text: string) {}
}

/**
 * The rows of the sheet that have a cell. `sheet` is a name or a 1-based number; without it, the first sheet that has rows.
 * @throws ImportError `unreadable_file`, `unknown_sheet`
 */
export async function readXlsx(
  bytes: Uint8Array,
  sheet: string | undefined,
  decimal: DecimalMark,
): Promise<TableRow[]> {
  const sheets = await unpack(bytes);
  const chosen =
    sheet === undefined ? sheets.find(({ data }) => data.length > 0) : sheets.find(isNamed(sheet));
  const byNumber = sheet !== undefined && /^\d+$/.test(sheet) ? sheets[Number(sheet) - 1] : undefined;
  const found = chosen ?? byNumber;
  if (!found && sheet !== undefined) {
    const names = sheets.map((each) => `"${each.sheet}"`).join(', ');
    throw new ImportError(
      'unknown_sheet',
      `There is no sheet "${sheet}"; --sheet takes one of ${names}.`,
      '--sheet',
    );
  }
  const rows: TableRow[] = [];
  found?.data.forEach((cells, index) => {
    const raw = cells.map((cell) => cellText(cell, decimal));
    const texts = raw.map(cleanCell);
    if (texts.some((text) => text !== '')) rows.push({ row: index + 1, cells: texts, raw });
  });
  return rows;
}

const isNamed = (name: string) => (each: { sheet: string }) =>
  each.sheet.trim().toLowerCase() === name.trim().toLowerCase();

async function unpack(bytes: Uint8Array) {
  try {
    checkSize(bytes);
    const copy = new Uint8Array(bytes);
    return await readXlsxFile(copy.buffer, {
      trim: false,
      parseNumber: (text: string) => new NumberText(text),
    });
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      'unreadable_file',
      'The file is not an Excel workbook, or it is damaged; save it again as .xlsx or as CSV.',
    );
  }
}

/** Refuses archives that unpack to too much, and cell addresses beyond Excel's 1,048,576 rows and 16,384 columns. */
function checkSize(bytes: Uint8Array): void {
  let size = 0;
  const sheets = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      size += originalSize;
      return /worksheets\/.*\.xml$/i.test(name) && size <= UNPACKED_BYTES_MAX;
    },
  });
  const decoder = new TextDecoder();
  const isBeyond = (xml: Uint8Array) => /\br="([A-Z]{4,}\d*|[A-Z]*\d{8,})"/i.test(decoder.decode(xml));
  if (size > UNPACKED_BYTES_MAX || Object.values(sheets).some(isBeyond)) {
    throw new ImportError('unreadable_file', 'The workbook is too large to read; save the sheet as CSV.');
  }
}

function cellText(cell: unknown, decimal: DecimalMark): string {
  if (cell instanceof NumberText) return decimalText(cell.text).replace('.', decimal);
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10);
  return cell === null || cell === undefined ? '' : String(cell);
}

/**
 * The number as Excel shows it. Excel stores a double with 17 digits (1.1 is written 1.1000000000000001) and shows 15 of them; a
 * shorter text without an exponent is the number already.
 */
export function decimalText(text: string): string {
  if (/^-?\d*\.?\d*$/.test(text) && text.replace(/\D/g, '').length <= 15) return text;
  const shown = Number(text).toPrecision(15);
  return shown.includes('e') || !shown.includes('.') ? shown : shown.replace(/\.?0+$/, '');
}
