/** Reads XLSX workbooks into rows. Numbers become the decimal text that Excel shows, and dates become YYYY-MM-DD. */
import { zipSync } from 'fflate';
import readXlsxFile from 'read-excel-file/universal';
import { ImportError } from '../import-error.ts';
import type { DecimalMark } from '../options.ts';
import { penceOf } from '../values/amounts.ts';
import { NO_DAY } from '../values/currency.ts';
import { requireColumns, requireRows, tooLarge } from './bounds.ts';
import { type TableRow, tableRow, UNVALUED } from './cells.ts';
import { unzip } from './unzip.ts';
import { type MarkOfFormat, requireUsualWorkbook, type SheetMarks, STRUCK } from './workbook-bounds.ts';
import { readWorkbook } from './workbook-sheets.ts';

/** Bounds the memory that a small, hostile archive can take. 20,000 rows unpack to about 8 MB. */
const UNPACKED_BYTES_MAX = 64_000_000;

/** A number cell keeps the text of the file, so that no floating-point number rounds it. */
class NumberText {
  constructor(readonly text: string) {}
}

/**
 * The rows of the sheet that have a cell. `name` is the name or the 1-based number of a sheet. Without it, reads the first sheet with rows,
 * or, if that has no table, the only sheet with one.
 * @throws ImportError `unreadable_file`, `unknown_sheet`, `several_sheets`
 */
export async function readXlsx(
  bytes: Uint8Array,
  name: string | undefined,
  decimal: DecimalMark,
  isTable: (rows: TableRow[]) => boolean,
  markOfFormat: MarkOfFormat = () => undefined,
): Promise<{ rows: TableRow[]; sheets: string[]; sheet?: string; otherTables?: string[] }> {
  const { all, hidden, marksOf, is1904 } = await unpack(bytes, markOfFormat);
  const sheets = all.map(({ sheet }) => sheet);
  const refuse = (code: 'unknown_sheet' | 'several_sheets', message: string) => {
    const error = new ImportError(code, message, 'sheet');
    error.table = { format: 'xlsx', encoding: null, sheets, rows: [], header: [], columns: {} };
    return error;
  };
  const read = (sheet: Sheet | undefined) => ({
    rows: sheet ? rowsOfSheet(sheet, decimal, marksOf(sheet.sheet), is1904) : [],
    sheets,
    ...(sheet && { sheet: sheet.sheet }),
  });
  const withRows = all.filter(({ data, sheet }) => data.length > 0 && !hidden.has(sheet));
  const isReadable = (sheet: Sheet) => {
    try {
      return isTable(read(sheet).rows);
    } catch (error) {
      // It is too large, for example: a table that is not read.
      if (error instanceof ImportError) return true;
      throw error;
    }
  };
  const withOthers = (sheet: Sheet, tables = withRows.filter(isReadable)) => {
    const otherTables = tables.flatMap((each) => (each === sheet ? [] : each.sheet));
    return { ...read(sheet), ...(otherTables.length > 0 && { otherTables }) };
  };
  if (name !== undefined) {
    const chosen = all.find(isNamed(name)) ?? (/^\d+$/.test(name) ? all[Number(name) - 1] : undefined);
    if (chosen) return withOthers(chosen);
    throw refuse('unknown_sheet', `There is no sheet "${name}"; the sheets are ${namesOfSheets(sheets)}.`);
  }
  const first = read(withRows[0]);
  const [sheet, ...others] = withRows;
  if (!sheet || others.length === 0) return first;
  const tables = others.filter(isReadable);
  if (isTable(first.rows)) {
    const isOfSums = isSummary(
      first.rows,
      tables.map((table) => read(table).rows),
    );
    if (!isOfSums) return withOthers(sheet, tables);
    throw refuse(
      'several_sheets',
      `The rows of sheet "${sheet.sheet}" are sums of other sheets; choose one.`,
    );
  }
  if (tables.length < 2) return tables[0] ? read(tables[0]) : first;
  const named = namesOfSheets(tables.map(({ sheet }) => sheet));
  throw refuse('several_sheets', `Several sheets have a table: ${named}; choose one.`);
}

/** Whether each row with an amount has the sum of a column of another sheet, one of them of several amounts. A sheet may have a row of totals. */
function isSummary(rows: readonly TableRow[], tables: readonly TableRow[][]): boolean {
  const sums = new Set<number>();
  const sumsOfSeveral = new Set<number>();
  const amountsOf = (cells: readonly string[]) => cells.map((cell) => penceOf(cell, '.'));
  for (const table of tables) {
    const width = Math.max(...table.map(({ cells }) => cells.length));
    for (let column = 0; column < width; column++) {
      const amounts = table.flatMap(({ cells }) => amountsOf([cells[column] ?? '']).filter((pence) => pence));
      const sum = amounts.reduce((sum, pence) => sum + pence, 0);
      sums.add(sum).add(sum / 2);
      if (amounts.length > 1) sumsOfSeveral.add(sum);
      if (amounts.length > 2) sumsOfSeveral.add(sum / 2);
    }
  }
  const withAmount = rows.map(({ cells }) => amountsOf(cells).filter((pence) => pence));
  const have = (found: Set<number>) => (row: readonly number[]) => row.some((pence) => found.has(pence));
  return (
    withAmount.every((row) => row.length === 0 || have(sums)(row)) && withAmount.some(have(sumsOfSeveral))
  );
}

type Sheet = Awaited<ReturnType<typeof unpack>>['all'][number];

const namesOfSheets = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

function rowsOfSheet(
  { data }: Sheet,
  decimal: DecimalMark,
  marks: SheetMarks | undefined,
  is1904: boolean,
): TableRow[] {
  const rows: TableRow[] = [];
  let length = 0;
  for (const [index, cells] of data.entries()) {
    const texts = cells.map((cell, column) => markedText(cellText(cell, decimal), index, column, marks));
    // Many cells can share one long text.
    for (const text of texts) length += text.length;
    if (length > UNPACKED_BYTES_MAX) throw tooLarge('The texts of the sheet are too large; split it.');
    const row = tableRow(index + 1, texts);
    if (!row) continue;
    row.isOfSheet = true;
    if (marks?.hiddenRows.has(row.row)) row.isHidden = true;
    const isStruck = (text: string, column: number) =>
      text !== '' && !text.startsWith(STRUCK) && marks?.currencies.get(addressOf(index, column)) === STRUCK;
    const hasStruck = marks?.currencies.size ? texts.some(isStruck) : false;
    if (is1904) row.is1904 = true;
    if (marks?.zeros.size) row.isZero = (column) => marks.zeros.has(addressOf(index, column));
    if (hasStruck || marks?.sums.size)
      row.isInDoubt = (column) => hasStruck || marks?.sums.has(addressOf(index, column)) === true;
    rows.push(row);
    requireRows(rows.length);
    requireColumns(texts.length, 'The sheet');
  }
  return rows;
}

const isNamed = (name: string) => (each: { sheet: string }) =>
  each.sheet.trim().toLowerCase() === name.trim().toLowerCase();

async function unpack(bytes: Uint8Array, markOfFormat: MarkOfFormat) {
  try {
    const { archive, marks, workbook } = storedArchive(bytes, markOfFormat);
    const all = await readXlsxFile(archive, {
      trim: false,
      parseNumber: (text: string) => new NumberText(text),
    });
    if (all.some(({ data }) => !data)) throw new Error('two sheets are one file');
    const hidden = new Set(workbook.sheets.flatMap(({ name, isHidden }) => (isHidden ? [name] : [])));
    const marksOf = (sheet: string) =>
      marks.get(workbook.sheets.find(({ name }) => name === sheet)?.file ?? '');
    return { all, hidden, marksOf, is1904: workbook.is1904 };
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      'unreadable_file',
      'The file is not an Excel workbook, or it is damaged; save it again as .xlsx or as CSV.',
    );
  }
}

/**
 * The archive with its XML files uncompressed. read-excel-file would unpack large files in a web worker, which some pages and runtimes do
 * not allow.
 */
function storedArchive(bytes: Uint8Array, markOfFormat: MarkOfFormat) {
  const files = unzip(bytes, (name) => /\.(xml|rels)$/i.test(name), UNPACKED_BYTES_MAX);
  if (!files) {
    const limit = `${UNPACKED_BYTES_MAX / 1_000_000} MB`;
    throw tooLarge(
      `The workbook is too large: more than ${limit} unpacked, or too many parts; save the sheet as CSV, or split it.`,
    );
  }
  const marks = requireUsualWorkbook(files, markOfFormat);
  const workbook = readWorkbook(files);
  return { archive: new Uint8Array(zipSync(files, { level: 0 })).buffer, marks, workbook };
}

const FIRST_OF_MONTH = /^\d{4}-\d\d-01$/;

/** Adds the mark outside of the number or date, so that the cell is neither an amount in pounds, nor a computed value, nor a whole date. */
function markedText(text: string, row: number, column: number, marks: SheetMarks | undefined): string {
  if (!marks || (marks.currencies.size === 0 && marks.unvalued.size === 0)) return text;
  const address = addressOf(row, column);
  if (marks.unvalued.has(address)) return UNVALUED;
  const symbol = marks.currencies.get(address);
  const isMarked = symbol === NO_DAY ? FIRST_OF_MONTH.test(text) : /^-?[\d.,-]+$/.test(text);
  return symbol !== undefined && isMarked ? `${symbol}${text}` : text;
}

function addressOf(row: number, column: number): string {
  let letters = '';
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  }
  return `${letters}${row + 1}`;
}

function cellText(cell: unknown, decimal: DecimalMark): string {
  if (cell instanceof NumberText) return decimalText(cell.text).replace('.', decimal);
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : dayOfTime(cell);
  return cell === null || cell === undefined ? '' : String(cell);
}

/** A computed midnight may lack a fraction of a second. */
const dayOfTime = (time: Date) =>
  new Date(Math.round(time.getTime() / 1_000) * 1_000).toISOString().slice(0, 10);

/**
 * The number as Excel shows it. Excel stores a double with 17 digits (1.1 as 1.1000000000000001) and shows 15 of them. A shorter text
 * without an exponent needs no change.
 */
function decimalText(text: string): string {
  if (/^-?\d*(?:\.\d*)?$/.test(text) && text.replace(/\D/g, '').length <= 15) return text;
  const shown = Number(text).toPrecision(15);
  return shown.includes('e') || !shown.includes('.') ? shown : shown.replace(/\.?0+$/, '');
}
