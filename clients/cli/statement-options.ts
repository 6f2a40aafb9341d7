/** The options of `push` and `reconcile` for reading a file. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  ENCODINGS,
  FIELDS,
  FILE_BYTES_MAX,
  ImportError,
  type ImportOptions,
  type ImportResult,
  readStatement,
} from '../typescript/import/index.ts';
import { messageWithAdvice, withAdvice } from './advice.ts';
import type { GlobalOptions } from './context.ts';
import { CliError, EXIT, usageError } from './exit.ts';
import type { FileOptions } from './file-options.ts';
import type { Io } from './io.ts';
import { unresolvedLines } from './unresolved-columns.ts';

export interface StatementOptions extends GlobalOptions {
  /** A name or an id. */
  source?: string;
  format?: string;
  encoding?: string;
  bank?: string;
  /** `FIELD=COLUMN,…` for all files, or `FILE:FIELD=COLUMN,…` for one. */
  map?: string[];
  /** `COLUMN` for all files, or `FILE:COLUMN` for one. */
  ignore?: string[];
  /** `COLUMN[+COLUMN…]=in|out[,CATEGORY[,SOURCE]]`, for one file behind its name and a colon. */
  amount?: string[];
  sheet?: string;
  dateFormat?: string;
  decimal?: string;
  repeated?: string;
  accountLabel?: string | undefined;
  /** `FILE=NAME` for one of several files. */
  account?: string[];
  categoryIncome?: string;
  categoryExpense?: string;
  /** A file; false with --no-rules. */
  rules?: string | false;
  /** A file. */
  rates?: string;
}

/** The sources of the account, and the decisions of a person. Without sources, categories are not checked. */
export type AccountContext = Pick<ImportOptions, 'sources' | 'source' | 'corrections'>;

export function addStatementOptions(command: Command): Command {
  return command
    .option('--format <format>', 'csv, xlsx, json, ndjson, ofx, camt or qif, if the file does not show it')
    .option('--encoding <name>', `${ENCODINGS.join(', ')}, if letters are wrong`)
    .option('--bank <bank>', 'the bank, if the header row does not show it')
    .option(
      '--map <[file:]field=column,…>',
      `the columns of the file: ${FIELDS.join(', ')}; can be given for each of several files`,
      collected,
      [],
    )
    .option(
      '--ignore <[file:]column>',
      'a column without payments; can be given several times',
      collected,
      [],
    )
    .option(
      '--amount <[file:]column[+column…]=in|out[,category[,source]]>',
      'one of several amounts of a row: columns that add up to one entry; can be given several times',
      collected,
      [],
    )
    .option('--sheet <name|number>', 'the sheet of a workbook')
    .option(
      '--date-format <dmy|mdy|ymd>',
      'the order of ambiguous dates such as 03/04/2026; dd/mm/yyyy will do',
    )
    .option('--decimal <.|,>', 'the decimal separator of amounts')
    .option(
      '--repeated <same|another>',
      'rows with one reference of the bank: equal ones are one payment, or several',
    )
    .option('--account-label <label>', 'tells bank accounts apart whose files do not name them')
    .option(
      '--account <FILE=NAME>',
      'the same for one of several files; can be given several times',
      collected,
      [],
    )
    .option('--category-income <key>', 'the category of income without one')
    .option('--category-expense <key>', 'the category of expenses without one')
    .option('--rules <file>', 'rules that decide about rows (default: the rules kept by `ledger rules`)')
    .option('--no-rules', 'without the rules that are kept')
    .option(
      '--rates <file>',
      'rates for amounts in other currencies: CSV with month or date, currency, pounds per unit',
    );
}

/** The bytes of a file, or of standard input for `-`. @throws CliError */
export const readInput = (file: string, { stdin }: Pick<Io, 'stdin'>): Promise<Uint8Array> =>
  file === '-' ? readBounded(stdin) : readBytes(file);

/** The rates of the option `--rates`. @throws CliError */
export const readRates = async ({
  rates,
}: Pick<StatementOptions, 'rates'>): Promise<Uint8Array | undefined> =>
  rates === undefined ? undefined : readBytes(rates);

export interface StatementFile extends Pick<ImportOptions, 'rules' | 'rates'> {
  name: string;
  bytes: Uint8Array;
  account: AccountContext;
  options: StatementOptions;
  /** The options of this file. */
  own: FileOptions;
  isOneOfSeveral: boolean;
}

/** @throws CliError */
export async function readFile(file: StatementFile): Promise<ImportResult> {
  const { name, bytes, account, options, own, rules, rates, isOneOfSeveral } = file;
  const { format, encoding, bank, sheet, dateFormat, decimal, repeated } = options;
  const { categoryIncome, categoryExpense } = options;
  const given = {
    fileName: name,
    format,
    encoding,
    bank,
    sheet,
    dateFormat: dateFormat === undefined ? undefined : dateOrder(dateFormat),
    decimal,
    repeated,
    ...own,
    ...account,
    categoryIncome,
    categoryExpense,
    rules,
    rates,
  };
  const defined = Object.entries(given).filter(([, value]) => value !== undefined);
  try {
    return withAdvice(await readStatement(bytes, Object.fromEntries(defined) as ImportOptions));
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const message = messageWithAdvice(error);
    const lines = unresolvedLines(error, isOneOfSeveral ? name : undefined);
    throw new CliError(EXIT.USAGE, isOneOfSeveral ? `${name}: ${message}` : message, error.code, lines);
  }
}

export const collected = (column: string, before: readonly string[]) => [...before, column];

/** For example `dmy` for dd/mm/yyyy. */
const dateOrder = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/(.)\1+/g, '$1');

/** @throws CliError */
export async function readBytes(file: string, bytesMax?: number): Promise<Uint8Array> {
  try {
    const before = await stat(file, { bigint: true });
    const bytes = await readBounded(createReadStream(file), bytesMax);
    const after = await stat(file, { bigint: true });
    const isSame = before.size === after.size && before.mtimeNs === after.mtimeNs && before.ino === after.ino;
    if (isSame || !before.isFile()) return bytes;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = { ENOENT: 'there is no such file', EISDIR: 'it is a folder' }[code ?? ''] ?? message;
    throw usageError(`${file} cannot be read: ${reason}.`);
  }
  throw usageError(`${file} changes while it is read: wait until it is whole, and run the command again.`);
}

/** Stops reading above the size limit of a file, which bounds the memory. The reader then refuses the file. */
async function readBounded(
  stream: AsyncIterable<string | Buffer>,
  bytesMax = FILE_BYTES_MAX,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > bytesMax) break;
  }
  return Buffer.concat(chunks);
}
