/**
 * Parses the rows of a file, by its bytes and the options. The order of the decisions, each of which can refuse the file:
 *
 * 1. The options and the size of the file.
 * 2. `files/format.ts`: the format, by the bytes or the name. Kinds of files that are not read are refused with advice.
 * 3. `files/encoding.ts`: the encoding of a text.
 * 4. A table (CSV, XLSX): `parse-table.ts` opens it, and `table/rows-of-table.ts` finds its columns and reads its rows. Another format:
 *    its reader in `formats/`.
 * 5. `kept/read-with-kept.ts` does step 4 with the answers that the rules keep for this kind of file, and refuses a contradiction.
 * 6. `requirePayments` refuses a file of which no row is a payment, if an amount is lost by that.
 */

import { lazy } from '../lazy.ts';
import { requireAmounts } from './columns/amount-columns.ts';
import { requireAccountName, requireFileSize } from './files/bounds.ts';
import { decodeText } from './files/encoding.ts';
import { chooseFormat } from './files/format.ts';
import { rowsOfCamt } from './formats/camt.ts';
import { rowsOfJson, rowsOfNdjson } from './formats/json.ts';
import { rowsOfOfx } from './formats/ofx.ts';
import { rowsOfQif } from './formats/qif.ts';
import { inUnit } from './formats/statement-unit.ts';
import { ImportError } from './import-error.ts';
import { kindAndAnswers, kindOfRecords } from './kept/kind-of-file.ts';
import { readWithKept } from './kept/read-with-kept.ts';
import { type Encoding, FILE_SETTINGS, type FileSetting, type ImportOptions } from './options.ts';
import { parseTable } from './parse-table.ts';
import type { DescribedFile, ParsedFile } from './rows/parsed-row.ts';
import { requirePayments } from './table/no-payment.ts';

/**
 * Finds the format, then the notation and the columns, and parses the rows. `brokenLines` are the lines with broken characters.
 * @throws ImportError for an unreadable file, an open question, and options that do not fit the file
 */
export async function parseFile(
  bytes: Uint8Array,
  { fileName, ...given }: ImportOptions,
): Promise<DescribedFile & { brokenLines: number[] }> {
  // The folders of a path are no evidence about its rows.
  const options: ImportOptions = { ...given, fileName: fileName?.replace(/^.*[/\\]/s, '') };
  checkOptions(options);
  requireFileSize(bytes.length);
  if (bytes.length === 0) throw new ImportError('unreadable_file', 'The file is empty.');
  const decode = lazy(() => decodeText(bytes, options.encoding));
  const text = () => decode().text.replace(/^\ufeff/, '');
  const format = chooseFormat(bytes, text, options.format, options.fileName);
  const encoding = format === 'xlsx' ? null : decode().encoding;
  const brokenLines = format === 'xlsx' ? [] : decode().brokenLines;
  const parsed =
    format === 'csv' || format === 'xlsx'
      ? await parseTable(bytes, text, { format, encoding }, options)
      : parseRecords(text(), { format, encoding }, options);
  return { ...parsed, brokenLines };
}

/** Parses a file of a format with records instead of columns. */
function parseRecords(
  text: string,
  { format, encoding }: { format: keyof typeof READERS; encoding: Encoding | null },
  options: ImportOptions,
): DescribedFile {
  const { read, ...found } = readWithKept(kindOfRecords(format), options, (options) => {
    const file: ParsedFile = READERS[format](text, options);
    // The amounts of the API are pence in any case.
    return requirePayments(format.endsWith('json') ? file : inUnit(file, options), options);
  });
  const { dateFormat } = options;
  const decimal = format === 'qif' ? (options.decimal ?? '.') : '.';
  const {
    dateNotation = { order: dateFormat ?? 'dmy', isOrderGiven: dateFormat !== undefined },
    dateFormat: foundFormat = null,
    ...parsedFile
  } = read;
  return {
    parsedFile,
    notation: { ...dateNotation, decimal },
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
      ...kindAndAnswers(found, format),
    },
  };
}

/** The reader of each format without columns. */
const READERS = {
  json: rowsOfJson,
  ndjson: rowsOfNdjson,
  ofx: rowsOfOfx,
  camt: rowsOfCamt,
  qif: rowsOfQif,
};

/** Checks values that a command line may pass unchecked. */
function checkOptions(options: ImportOptions): void {
  requireAmounts(options);
  requireAccountName(options.accountLabel ?? '', 'accountLabel');
  for (const [name, texts] of Object.entries(FILE_SETTINGS) as [
    FileSetting,
    readonly string[] | undefined,
  ][]) {
    const text = options[name];
    if (texts === undefined || text === undefined || texts.includes(text)) continue;
    throw new ImportError('invalid_option', `The option ${name} takes one of ${texts.join(', ')}.`, name);
  }
}
