/** The options of `push` and `reconcile` for reading a file. */
import type { Command } from 'commander';
import { readBounded, readBytes } from '../files/read-bytes.ts';
import type { Io } from '../settings/io.ts';
import {
  ENCODINGS,
  FIELDS,
  ImportError,
  type ImportOptions,
  type ImportResult,
  readStatement,
} from '../typescript/import/index.ts';
import { messageWithAdvice, withAdvice } from './advice.ts';
import type { GlobalOptions } from './context.ts';
import { CliError, EXIT } from './exit.ts';
import type { FileOptions, NamedOptions } from './file-options.ts';
import { proposalLines } from './questions/proposal.ts';
import { questionLines, refusalText } from './questions/question-lines.ts';

export interface StatementOptions extends GlobalOptions, NamedOptions {
  /** A name or an id. */
  source?: string;
  format?: string;
  encoding?: string;
  bank?: string;
  sheet?: string;
  dateFormat?: string;
  decimal?: string;
  repeated?: string;
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
    .option(
      '--values <[file:]column: value=meaning, …>',
      'the meaning of the values of a column: in, out, skip or keep; can be given several times',
      collected,
      [],
    )
    .option('--unit <[file:]pounds|pence>', 'the unit of the amounts', collected, [])
    .option(
      '--rows <[file:]row=meaning,…>',
      'the meaning of a row, or of the rows below a heading: in, out, skip or keep',
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

interface StatementFile extends Pick<ImportOptions, 'rules' | 'rates'> {
  name: string;
  bytes: Uint8Array;
  account: AccountContext;
  options: StatementOptions;
  /** The options of this file. */
  own: FileOptions;
  isOneOfSeveral: boolean;
  /** Asks about an open file. Undefined without a person who can answer: then the file is refused. */
  ask?: AskOpen | undefined;
}

/** Returns the options with the answers of a person; undefined if the person gives none. */
export type AskOpen = (
  error: ImportError,
  own: FileOptions,
  file: string | undefined,
) => Promise<FileOptions | undefined>;

/** @throws CliError */
export async function readOrAsk(file: StatementFile): Promise<ImportResult> {
  const { name, bytes, account, options, own, rules, rates, isOneOfSeveral, ask } = file;
  const { format, encoding, bank, sheet, dateFormat, decimal, repeated } = options;
  const { categoryIncome, categoryExpense } = options;
  const all = {
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
  const defined = Object.entries(all).filter(([, value]) => value !== undefined);
  const given = Object.fromEntries(defined) as ImportOptions;
  try {
    return withAdvice(await readStatement(bytes, given));
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const oneOf = isOneOfSeveral ? name : undefined;
    const answered = error.questions?.length ? await ask?.(error, own, oneOf) : undefined;
    if (answered) return readOrAsk({ ...file, own: answered });
    const message = error.questions ? refusalText(error) : messageWithAdvice(error);
    const lines = [
      ...questionLines(error, oneOf),
      ...(await proposalLines(error, oneOf, given, (options) => readStatement(bytes, options))),
    ];
    const { questions } = error;
    const facts = questions ? { questions } : {};
    throw new CliError(
      EXIT.USAGE,
      isOneOfSeveral ? `${name}: ${message}` : message,
      error.code,
      lines,
      facts,
    );
  }
}

export const collected = (column: string, before: readonly string[]) => [...before, column];

/** For example `dmy` for dd/mm/yyyy. */
const dateOrder = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/(.)\1+/g, '$1');
