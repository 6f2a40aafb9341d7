/** XLSX workbooks to rows. Numbers become the decimal text that Excel shows, and dates become YYYY-MM-DD. */
import { unzipSync, zipSync } from 'fflate';
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
): Promise<{ rows: TableRow[]; sheets: string[]; sheet?: string }> {
  const sheets = await unpack(bytes);
  const chosen =
    sheet === undefined ? sheets.find(({ data }) => data.length > 0) : sheets.find(isNamed(sheet));
  const byNumber = sheet !== undefined && /^\d+$/.test(sheet) ? sheets[Number(sheet) - 1] : undefined;
  const found = chosen ?? byNumber;
  if (!found && sheet !== undefined) {
    const names = sheets.map((each) => `"${each.sheet}"`).join(', ');
    throw new ImportError('unknown_sheet', `There is no sheet "${sheet}"; the sheets are ${names}.`, 'sheet');
  }
  const rows: TableRow[] = [];
  found?.data.forEach((cells, index) => {
    const raw = cells.map((cell) => cellText(cell, decimal));
    const texts = raw.map(cleanCell);
    if (texts.some((text) => text !== '')) rows.push({ row: index + 1, cells: texts, raw });
  });
  return { rows, sheets: sheets.map((each) => each.sheet), ...(found && { sheet: found.sheet }) };
}

const isNamed = (name: string) => (each: { sheet: string }) =>
  each.sheet.trim().toLowerCase() === name.trim().toLowerCase();

async function unpack(bytes: Uint8Array) {
  try {
    const archive = storedArchive(bytes);
    return await readXlsxFile(archive, { trim: false, parseNumber: (text: string) => new NumberText(text) });
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      'unreadable_file',
      'The file is not an Excel workbook, or it is damaged; save it again as .xlsx or as CSV.',
    );
  }
}

/**
 * The archive with its XML files uncompressed. read-excel-file would unpack large files in a web worker, which not every page and not
 * every runtime allows. Archives that unpack to too much are refused, and so are cell addresses beyond the sheets of Excel.
 */
function storedArchive(bytes: Uint8Array): ArrayBuffer {
  let size = 0;
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!/\.(xml|rels)$/i.test(name)) return false;
      size += originalSize;
      return size <= UNPACKED_BYTES_MAX;
    },
  });
  const decoder = new TextDecoder();
  const isBeyond = (xml: Uint8Array) => /\br="([A-Z]{4,}\d*|[A-Z]*\d{8,})"/i.test(decoder.decode(xml));
  const sheets = Object.keys(files).filter((name) => /worksheets\//i.test(name));
  if (size > UNPACKED_BYTES_MAX || sheets.some((name) => isBeyond(files[name] as Uint8Array))) {
    throw new ImportError('unreadable_file', 'The workbook is too large to read; save the sheet as CSV.');
  }
  return new Uint8Array(zipSync(files, { level: 0 })).buffer;
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
