/** Reads statements and spreadsheets into entries for the ledger: pure functions for Bun, Node and browsers. */

import { requireAmounts } from './columns/amount-columns.ts';
import { hasHeader, isTable } from './columns/columns.ts';
import { withWholeDates } from './columns/date-parts.ts';
import { hasCorrections } from './entries/corrections.ts';
import { entriesOfRows, type ParseContext } from './entries/entries.ts';
import { withoutSharedReferences } from './entries/shared-references.ts';
import { requireAccountName, requireFileSize } from './files/bounds.ts';
import { type TableRow, UNVALUED } from './files/cells.ts';
import { readCsv } from './files/csv.ts';
import { type Decoded, decodeText } from './files/encoding.ts';
import { chooseFormat } from './files/format.ts';
import { readXlsx } from './files/xlsx.ts';
import { rowsOfCamt } from './formats/camt.ts';
import { inPoundsBy, requirePounds, withKnownCurrency } from './formats/in-pounds.ts';
import { rowsOfJson, rowsOfNdjson } from './formats/json.ts';
import { requirePayments } from './formats/no-payment.ts';
import { rowsOfOfx } from './formats/ofx.ts';
import type { ParsedFile } from './formats/parsed-row.ts';
import { rowsOfQif } from './formats/qif.ts';
import { firstRows, layoutToShow, shownTable } from './formats/shown-table.ts';
import { inUnit } from './formats/statement-unit.ts';
import { statementsOf } from './formats/statements.ts';
import { rowsOfTable } from './formats/table.ts';
import { ImportError } from './import-error.ts';
import { keptHeaders, readWithKept } from './kept/kept-reading.ts';
import { headerIndex, keptProperties, unreadTable, withoutTable } from './kept/kind-of-file.ts';
import {
  DATE_FORMATS,
  type DateFormat,
  DECIMAL_MARKS,
  ENCODINGS,
  type Encoding,
  type ImportOptions,
  REPEATED,
} from './options.ts';
import type { AccountStatement, ImportResult, Recognised, UnreadTable, Warning } from './result.ts';
import { RuleMatches } from './rules/compiled-rules.ts';
import { keptLines } from './rules/kept-choices.ts';
import { markOfFormat } from './values/currency.ts';
import { readDate } from './values/dates.ts';

export type { Category, CategorySet, NewTransaction } from '../resources.ts';
export * from './choices.ts';
export { BANK_NAMES } from './columns/banks.ts';
export { FILE_BYTES_MAX } from './files/bounds.ts';
export * from './import-error.ts';
export * from './options.ts';
export { withAnswer } from './questions/answers.ts';
export * from './result.ts';
export { type KeptChoices, withKeptChoices } from './rules/kept-choices.ts';

/**
 * Reads a bank file or a spreadsheet. Classifies each row as an entry, skipped or invalid, with the reason.
 * @throws ImportError for an unreadable file, and for options that do not fit it
 */
export function readStatement(bytes: Uint8Array, options: ImportOptions = {}): Promise<ImportResult> {
  return statementReader(bytes)(options);
}

/**
 * Returns a function that reads one file repeatedly, as `readStatement` does, while a person corrects its rows. It keeps intermediate
 * results that depend on neither corrections nor categories, so that a correction in 20,000 rows takes a fraction of the time.
 */
export function statementReader(bytes: Uint8Array): (options?: ImportOptions) => Promise<ImportResult> {
  const references = new Map<string, string>();
  const matches = new RuleMatches();
  let last: { key: string; file: PreparedFile; statements: AccountStatement[] } | undefined;
  return async (options = {}) => {
    const key = keyOf(options);
    const file = last?.key === key ? last.file : preparedFile(await recognisedFile(bytes, options), options);
    const statements =
      last?.file === file ? last.statements : statementsOf(file.parsedFile, options.accountLabel);
    last = { key, file, statements };
    const { recognised, parsedFile, context, brokenLines } = file;
    const outcomes = entriesOfRows(parsedFile, context, options, references, matches);
    return {
      bank: recognised.bank,
      format: recognised.format,
      recognised,
      statements,
      ...outcomes,
      rules: matches.usesFor(parsedFile.parsedRows),
      warnings: [...brokenLines.map(brokenCharacter), ...outcomes.warnings],
    };
  };
}

const brokenCharacter = (line: number): Warning => ({
  row: line,
  field: 'description',
  value: '',
  message: `Line ${line} of the file has a character whose bytes are broken; it is read as \ufffd.`,
});

/** The intermediate results: they depend on all rows, and on neither corrections nor categories. */
function preparedFile(file: RecognisedFile, options: ImportOptions): PreparedFile {
  const { parsedRows, columnNames } = file.parsedFile;
  if (!hasCorrections(options)) requirePounds(parsedRows);
  return {
    ...file,
    parsedFile: {
      ...file.parsedFile,
      parsedRows: withoutSharedReferences(withKnownCurrency(parsedRows), options),
    },
    context: { ...file.context, inPounds: inPoundsBy(options, columnNames.amount) },
  };
}

interface RecognisedFile {
  /** The lines with broken characters. */
  brokenLines: number[];
  recognised: Recognised;
  parsedFile: ParsedFile;
  context: Omit<ParseContext, 'inPounds'>;
}
type PreparedFile = RecognisedFile & { context: ParseContext };

/** The options that `recognisedFile` depends on. */
function keyOf(options: ImportOptions): string {
  const { corrections, sources, source, categoryIncome, categoryExpense, rules, ...others } = options;
  return JSON.stringify([others, keptLines(rules ?? '')]);
}

async function recognisedFile(
  bytes: Uint8Array,
  { fileName, ...given }: ImportOptions,
): Promise<RecognisedFile> {
  // The folders of a path are no evidence about its rows.
  const options: ImportOptions = { ...given, fileName: fileName?.replace(/^.*[/\\]/s, '') };
  checkOptions(options);
  requireFileSize(bytes.length);
  if (bytes.length === 0) throw new ImportError('unreadable_file', 'The file is empty.');
  let decoded: Decoded | undefined;
  const decode = () => {
    decoded ??= decodeText(bytes, options.encoding);
    return decoded;
  };
  const text = () => decode().text.replace(/^\ufeff/, '');
  const format = chooseFormat(bytes, text, options.format, options.fileName);
  const encoding = format === 'xlsx' ? null : decode().encoding;
  const brokenLines = format === 'xlsx' ? [] : decode().brokenLines;
  if (format === 'csv' || format === 'xlsx') {
    return { brokenLines, ...(await readTable(bytes, text, { format, encoding }, options)) };
  }
  const { read, ...found } = readWithKept(withoutTable(format), options, (options): OtherFile => {
    const file = READERS[format](text(), options);
    // The amounts of the API are pence in any case.
    return requirePayments(format.endsWith('json') ? file : inUnit(file, options), options);
  });
  const { dateFormat } = options;
  const decimal = format === 'qif' ? (options.decimal ?? '.') : '.';
  const { order = dateFormat ?? 'dmy', dateFormat: foundFormat = null, ...parsedFile } = read;
  return {
    parsedFile,
    brokenLines,
    context: { order, isOrderGiven: dateFormat !== undefined, decimal },
    recognised: {
      bank: null,
      format,
      encoding,
      dateFormat: foundFormat,
      decimal,
      header: [],
      headerRow: null,
      columns: {},
      amounts: [],
      ignored: [],
      sampleRows: [],
      sums: [],
      ...keptProperties(found, format),
    },
  };
}

type OtherFile = ParsedFile & { order?: DateFormat; dateFormat?: DateFormat | null };

/** The formats without columns. */
const READERS = {
  json: rowsOfJson,
  ndjson: rowsOfNdjson,
  ofx: rowsOfOfx,
  camt: rowsOfCamt,
  qif: rowsOfQif,
};

interface OpenedTable {
  rows: readonly TableRow[];
  sheets?: string[];
  /** The name of the sheet that is read. */
  sheet?: string;
  otherTables?: string[];
}

type TableFile = { format: 'csv' | 'xlsx'; encoding: Encoding | null };

async function readTable(
  bytes: Uint8Array,
  text: () => string,
  file: TableFile,
  options: ImportOptions,
): Promise<Omit<RecognisedFile, 'brokenLines'>> {
  const { rows, ...sheets } = await openTable(bytes, text, file, options);
  const titles = [options.fileName ?? '', sheets.sheet ?? ''];
  const tableOf = (options: ImportOptions): UnreadTable => ({
    ...file,
    ...sheets,
    rows: firstRows(rows),
    ...shownTable(rows, layoutToShow(rows, options), options.decimal ?? '.'),
  });
  const readRows = (options: ImportOptions) =>
    showing(tableOf, options, () => requirePayments(rowsOfTable(rows, options, titles), options));
  const { read, ...found } = showing(tableOf, options, () =>
    readWithKept(unreadTable(rows, file.format, options), options, readRows),
  );
  const { recognised, order, ...parsedFile } = read;
  const isOrderGiven = options.dateFormat !== undefined;
  return {
    parsedFile,
    context: { order, isOrderGiven, decimal: recognised.decimal },
    recognised: {
      ...file,
      ...sheets,
      ...recognised,
      ...keptProperties(found, file.format, { rows, headerRow: recognised.headerRow }),
    },
  };
}

/** The rows of the text, or of the sheet that is named, kept, or the only one with payments. */
async function openTable(
  bytes: Uint8Array,
  text: () => string,
  { format }: TableFile,
  options: ImportOptions,
): Promise<OpenedTable> {
  const kept = keptHeaders(options, format);
  const isKept = (rows: readonly TableRow[]) => kept.some((header) => headerIndex(rows, header) !== -1);
  if (format === 'csv') {
    const isHeader = (rows: TableRow[]) => isKept(rows) || hasHeader(rows, options);
    return { rows: withWholeDates(readCsv(text(), isHeader)) };
  }
  const isStatement = (sheet: TableRow[]) => hasPayment(sheet) && (isKept(sheet) || isTable(sheet, options));
  const decimal = options.decimal ?? '.';
  const opened = await readXlsx(bytes, options.sheet, decimal, isStatement, markOfFormat);
  return { ...opened, rows: withWholeDates(opened.rows) };
}

/** An error of `read` gets the first rows of the table, for a person who answers. */
function showing<Result>(
  tableOf: (options: ImportOptions) => UnreadTable,
  options: ImportOptions,
  read: () => Result,
): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof ImportError) error.table ??= tableOf(options);
    throw error;
  }
}

/** Whether a row has a date beside another number. A sheet of sums has none. */
function hasPayment(rows: readonly TableRow[]): boolean {
  const isDate = (text: string) => (readDate(text, 'dmy') ?? readDate(text, 'mdy')) !== undefined;
  return withWholeDates(rows).some(({ cells }) => {
    const numbers = cells.filter((text) => /\d/.test(text) || text === UNVALUED);
    return numbers.length > 1 && numbers.some(isDate);
  });
}

/** Checks values that a command line may pass unchecked. */
function checkOptions(options: ImportOptions): void {
  const { dateFormat, decimal, encoding, repeated, accountLabel = '' } = options;
  requireAmounts(options);
  requireAccountName(accountLabel, 'accountLabel');
  if (dateFormat !== undefined && !DATE_FORMATS.includes(dateFormat)) {
    throw new ImportError('invalid_option', 'The order of dates is dmy, mdy or ymd.', 'dateFormat');
  }
  if (decimal !== undefined && !DECIMAL_MARKS.includes(decimal)) {
    throw new ImportError('invalid_option', 'The decimal mark is "." or ",".', 'decimal');
  }
  if (repeated !== undefined && !REPEATED.includes(repeated)) {
    const message = 'Rows that repeat a reference are "same" or "another" payment.';
    throw new ImportError('invalid_option', message, 'repeated');
  }
  if (encoding !== undefined && !ENCODINGS.includes(encoding)) {
    throw new ImportError('invalid_option', `The encoding is one of ${ENCODINGS.join(', ')}.`, 'encoding');
  }
}
