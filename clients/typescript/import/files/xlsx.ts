/** XLSX workbooks to rows. Numbers become the decimal text that Excel shows, and dates become YYYY-MM-DD. */
import { zipSync } from 'fflate';
import readXlsxFile from 'read-excel-file/universal';
import { type DecimalMark, ImportError } from '../options.ts';
import { requireColumns, requireRows, tooLarge } from './bounds.ts';
import { type TableRow, tableRow } from './cells.ts';
import { unzip } from './unzip.ts';
import { requireUsualWorkbook } from './workbook-bounds.ts';

/** Bounds the memory that a small, hostile archive can take. 20,000 rows unpack to about 8 MB. */
const UNPACKED_BYTES_MAX = 64_000_000;

/** A number cell keeps the text of the file, so that it never passes through a fraction. */
class NumberText {
  constructor(readonly text: string) {}
}

/**
 * The rows of the sheet that have a cell. `name` is that of a sheet or its 1-based number. Without it, the first sheet that has rows is
 * read, or, if that one has no table, the only sheet that has one.
 * @throws ImportError `unreadable_file`, `unknown_sheet`, `several_sheets`
 */
export async function readXlsx(
  bytes: Uint8Array,
  name: string | undefined,
  decimal: DecimalMark,
  isTable: (rows: TableRow[]) => boolean,
): Promise<{ rows: TableRow[]; sheets: string[]; sheet?: string }> {
  const all = await unpack(bytes);
  const sheets = all.map(({ sheet }) => sheet);
  const refuse = (code: 'unknown_sheet' | 'several_sheets', message: string) => {
    const error = new ImportError(code, message, 'sheet');
    error.table = { format: 'xlsx', encoding: null, sheets, rows: [], header: [], columns: {} };
    return error;
  };
  const read = (sheet: Sheet | undefined) => ({
    rows: sheet ? rowsOf(sheet, decimal) : [],
    sheets,
    ...(sheet && { sheet: sheet.sheet }),
  });
  if (name !== undefined) {
    const chosen = all.find(isNamed(name)) ?? (/^\d+$/.test(name) ? all[Number(name) - 1] : undefined);
    if (chosen) return read(chosen);
    throw refuse('unknown_sheet', `There is no sheet "${name}"; the sheets are ${quoted(sheets)}.`);
  }
  const withRows = all.filter(({ data }) => data.length > 0);
  const first = read(withRows[0]);
  if (withRows.length < 2 || isTable(first.rows)) return first;
  const tables = withRows.slice(1).filter((sheet) => isTable(rowsOf(sheet, decimal)));
  if (tables.length < 2) return tables[0] ? read(tables[0]) : first;
  const named = quoted(tables.map(({ sheet }) => sheet));
  throw refuse('several_sheets', `Several sheets have a table: ${named}; choose one.`);
}

type Sheet = Awaited<ReturnType<typeof unpack>>[number];

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

function rowsOf({ data }: Sheet, decimal: DecimalMark): TableRow[] {
  const rows: TableRow[] = [];
  let length = 0;
  for (const [index, cells] of data.entries()) {
    const texts = cells.map((cell) => cellText(cell, decimal));
    // Many cells can share one long text.
    for (const text of texts) length += text.length;
    if (length > UNPACKED_BYTES_MAX) throw tooLarge('The texts of the sheet are too large; split it.');
    const row = tableRow(index + 1, texts);
    if (!row) continue;
    rows.push(row);
    requireRows(rows.length);
    requireColumns(texts.length, 'The sheet');
  }
  return rows;
}

const isNamed = (name: string) => (each: { sheet: string }) =>
  each.sheet.trim().toLowerCase() === name.trim().toLowerCase();

async function unpack(bytes: Uint8Array) {
  try {
    const archive = storedArchive(bytes);
    const sheets = await readXlsxFile(archive, {
      trim: false,
      parseNumber: (text: string) => new NumberText(text),
    });
    if (sheets.some(({ data }) => !data)) throw new Error('two sheets are one file');
    return sheets;
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
 * every runtime allows.
 */
function storedArchive(bytes: Uint8Array): ArrayBuffer {
  const files = unzip(bytes, (name) => /\.(xml|rels)$/i.test(name), UNPACKED_BYTES_MAX);
  if (!files) {
    const limit = `${UNPACKED_BYTES_MAX / 1_000_000} MB`;
    throw tooLarge(
      `The workbook is too large: it unpacks to more than ${limit} or has too many parts; save the sheet as CSV, or split it.`,
    );
  }
  requireUsualWorkbook(files);
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
  if (/^-?\d*(?:\.\d*)?$/.test(text) && text.replace(/\D/g, '').length <= 15) return text;
  const shown = Number(text).toPrecision(15);
  return shown.includes('e') || !shown.includes('.') ? shown : shown.replace(/\.?0+$/, '');
}
