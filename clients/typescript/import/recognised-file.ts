/** Recognises a file by its bytes and the options: its format, its encoding, and the notation of its dates and amounts. */

import { lazy } from '../lazy.ts';
import { requireAmounts } from './columns/amount-columns.ts';
import { requireAccountName, requireFileSize } from './files/bounds.ts';
import { decodeText } from './files/encoding.ts';
import { chooseFormat } from './files/format.ts';
import { rowsOfCamt } from './formats/camt.ts';
import { rowsOfJson, rowsOfNdjson } from './formats/json.ts';
import { requirePayments } from './formats/no-payment.ts';
import { rowsOfOfx } from './formats/ofx.ts';
import type { ParsedFile } from './formats/parsed-row.ts';
import { rowsOfQif } from './formats/qif.ts';
import { inUnit } from './formats/statement-unit.ts';
import { ImportError } from './import-error.ts';
import { keptProperties, withoutTable } from './kept/kind-of-file.ts';
import { readWithKept } from './kept/read-with-kept.ts';
import {
  DATE_FORMATS,
  type DateFormat,
  DECIMAL_MARKS,
  ENCODINGS,
  type Encoding,
  type ImportOptions,
  REPEATED,
} from './options.ts';
import { type RecognisedRows, recogniseTable } from './recognised-table.ts';

export interface RecognisedFile extends RecognisedRows {
  /** The lines with broken characters. */
  brokenLines: number[];
}

/**
 * Recognises the format, then the notation and the columns, and parses the rows.
 * @throws ImportError for an unreadable file, an open question, and options that do not fit the file
 */
export async function recogniseFile(
  bytes: Uint8Array,
  { fileName, ...given }: ImportOptions,
): Promise<RecognisedFile> {
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
      ? await recogniseTable(bytes, text, { format, encoding }, options)
      : recogniseFields(text(), { format, encoding }, options);
  return { ...parsed, brokenLines };
}

/** Reads a format without columns. */
function recogniseFields(
  text: string,
  { format, encoding }: { format: keyof typeof READERS; encoding: Encoding | null },
  options: ImportOptions,
): RecognisedRows {
  const { read, ...found } = readWithKept(withoutTable(format), options, (options): OtherFile => {
    const file = READERS[format](text, options);
    // The amounts of the API are pence in any case.
    return requirePayments(format.endsWith('json') ? file : inUnit(file, options), options);
  });
  const { dateFormat } = options;
  const decimal = format === 'qif' ? (options.decimal ?? '.') : '.';
  const { order = dateFormat ?? 'dmy', dateFormat: foundFormat = null, ...parsedFile } = read;
  return {
    parsedFile,
    notation: { order, isOrderGiven: dateFormat !== undefined, decimal },
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
