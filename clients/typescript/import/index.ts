/** Reads statements and spreadsheets to entries for the ledger: pure functions that run on Bun, Node and in browsers. */
import type { TableRow } from './cells.ts';
import { hasHeader } from './columns.ts';
import { readCsv } from './csv.ts';
import { decodeText } from './encoding.ts';
import { entriesOfDrafts } from './entries.ts';
import { chooseFormat } from './format.ts';
import { draftsOfJson, draftsOfNdjson } from './json.ts';
import { draftsOfOfx } from './ofx.ts';
import {
  ENCODINGS,
  type Encoding,
  ImportError,
  type ImportOptions,
  type ImportResult,
  type Recognised,
} from './options.ts';
import { draftsOfTable, firstRows } from './table.ts';
import { readXlsx } from './xlsx.ts';

export { BANK_NAMES } from './banks.ts';
export * from './options.ts';

/**
 * Reads a file of a bank or a spreadsheet: which rows are entries, which are skipped and which are invalid, and why.
 * @throws ImportError for a file that cannot be read at all, and for options that do not fit it
 */
export async function readStatement(bytes: Uint8Array, options: ImportOptions = {}): Promise<ImportResult> {
  checkOptions(options);
  if (bytes.length === 0) throw new ImportError('unreadable_file', 'The file is empty.');
  let decoded: { text: string; encoding: Encoding } | undefined;
  const decode = () => {
    decoded ??= decodeText(bytes, options.encoding);
    return decoded;
  };
  const text = () => decode().text.replace(/^\ufeff/, '');
  const format = chooseFormat(bytes, text, options.format, options.fileName);
  const encoding = format === 'xlsx' ? null : decode().encoding;
  if (format === 'csv' || format === 'xlsx') return readTable(bytes, text, { format, encoding }, options);
  const drafts = { json: draftsOfJson, ndjson: draftsOfNdjson, ofx: draftsOfOfx }[format](
    text(),
    options.accountLabel,
  );
  const recognised: Recognised = {
    ...{ bank: null, format, encoding, dateFormat: null, decimal: '.' },
    ...{ header: [], headerRow: null, columns: {}, sampleRows: [] },
  };
  const { dateFormat } = options;
  const reading = {
    order: dateFormat ?? 'dmy',
    isOrderGiven: dateFormat !== undefined,
    decimal: '.',
  } as const;
  return { bank: null, format, recognised, ...entriesOfDrafts(drafts, reading, options) };
}

async function readTable(
  bytes: Uint8Array,
  text: () => string,
  file: { format: 'csv' | 'xlsx'; encoding: Encoding | null },
  options: ImportOptions,
): Promise<ImportResult> {
  const isHeader = (rows: TableRow[]) => hasHeader(rows, options);
  const { rows, ...sheets } =
    file.format === 'csv'
      ? { rows: readCsv(text(), isHeader) }
      : await readXlsx(bytes, options.sheet, options.decimal ?? '.');
  try {
    const { recognised, order, ...drafts } = draftsOfTable(rows, options);
    const { decimal } = recognised;
    const reading = { order, isOrderGiven: options.dateFormat !== undefined, decimal };
    return {
      bank: recognised.bank,
      format: file.format,
      recognised: { ...file, ...sheets, ...recognised },
      ...entriesOfDrafts(drafts, reading, options),
    };
  } catch (error) {
    if (error instanceof ImportError) error.table = { ...file, ...sheets, rows: firstRows(rows) };
    throw error;
  }
}

/** The values that a command line can get wrong. */
function checkOptions({ dateFormat, decimal, encoding }: ImportOptions): void {
  if (dateFormat !== undefined && !['dmy', 'mdy', 'ymd'].includes(dateFormat)) {
    throw new ImportError('invalid_option', 'The order of dates is dmy, mdy or ymd.', 'dateFormat');
  }
  if (decimal !== undefined && !['.', ','].includes(decimal)) {
    throw new ImportError('invalid_option', 'The decimal mark is "." or ",".', 'decimal');
  }
  if (encoding !== undefined && !ENCODINGS.includes(encoding)) {
    throw new ImportError('invalid_option', `The encoding is one of ${ENCODINGS.join(', ')}.`, 'encoding');
  }
}
