/** Reads statements and spreadsheets to entries for the ledger: pure functions that run on Bun, Node and in browsers. */
import type { TableRow } from './cells.ts';
import { hasHeader } from './columns.ts';
import { readCsv } from './csv.ts';
import type { Drafts } from './draft.ts';
import { decodeText } from './encoding.ts';
import { entriesOfDrafts } from './entries.ts';
import { chooseFormat } from './format.ts';
import { draftsOfJson, draftsOfNdjson } from './json.ts';
import { draftsOfOfx } from './ofx.ts';
import { type Format, ImportError, type ImportOptions, type ImportResult } from './options.ts';
import { draftsOfTable } from './table.ts';
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
  let decoded: string | undefined;
  const text = () => {
    decoded ??= decodeText(bytes).replace(/^\ufeff/, '');
    return decoded;
  };
  const format = chooseFormat(bytes, text, options.format, options.fileName);
  const { bank = null, ...drafts } = await readDrafts(format, bytes, text, options);
  return { bank, format, ...entriesOfDrafts(drafts, options) };
}

async function readDrafts(
  format: Format,
  bytes: Uint8Array,
  text: () => string,
  options: ImportOptions,
): Promise<Drafts & { bank?: string | null }> {
  const isHeader = (rows: TableRow[]) => hasHeader(rows, options);
  switch (format) {
    case 'csv':
      return draftsOfTable(readCsv(text(), isHeader), options);
    case 'xlsx':
      return draftsOfTable(await readXlsx(bytes, options.sheet, options.decimal ?? '.'), options);
    case 'json':
      return draftsOfJson(text());
    case 'ndjson':
      return draftsOfNdjson(text());
    case 'ofx':
      return draftsOfOfx(text(), options.accountLabel);
  }
}

/** The values that a command line can get wrong. */
function checkOptions({ dateFormat, decimal }: ImportOptions): void {
  if (dateFormat !== undefined && !['dmy', 'mdy', 'ymd'].includes(dateFormat)) {
    throw new ImportError('invalid_option', '--date-format is dmy, mdy or ymd.', '--date-format');
  }
  if (decimal !== undefined && !['.', ','].includes(decimal)) {
    throw new ImportError('invalid_option', '--decimal is "." or ",".', '--decimal');
  }
}
