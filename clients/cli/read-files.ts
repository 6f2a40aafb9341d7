/** Reads the files of a command, with the rules and the sources of the account. An open file is a question to a person, or refused. */

import { ownFileText } from '../files/own-file.ts';
import { readBounded, readBytes } from '../files/read-bytes.ts';
import type { Inputs } from '../files/whole-file.ts';
import type { Io } from '../settings/io.ts';
import { profilesFile } from '../settings/profiles.ts';
import { keptRulesFile, type Rules, readRules } from '../settings/rules.ts';
import { sourceIn } from '../settings/sources.ts';
import {
  FILE_SETTINGS,
  type FileSetting,
  ImportError,
  type ImportOptions,
  readImportFile,
} from '../typescript/import/index.ts';
import type { Ledger, Source } from '../typescript/index.ts';
import { type MergedFiles, mergeFiles } from '../typescript/match/compare.ts';
import type { FileEntry, FileResult } from '../typescript/match/row.ts';
import { namesSources, sourcesWithCategories } from '../typescript/source-categories.ts';
import { messageWithAdvice, withAdvice } from './advice.ts';
import { correctionsByAssignments, NO_ASSIGNMENTS, type RowAssignments } from './decisions/decisions-file.ts';
import { CliError, EXIT, usageError } from './exit.ts';
import type { FileCommandOptions } from './file-command-options.ts';
import { type FileOptions, fileOptions } from './file-options.ts';
import type { AskOpen } from './questions/ask.ts';
import { proposalLines } from './questions/proposal.ts';
import { questionLines, refusalText } from './questions/question-lines.ts';

interface InputFile {
  name: string;
  bytes: Uint8Array;
  /** The options of this file alone, with the answers of a person to its questions. */
  ownOptions: FileOptions;
}

type CommandFile = InputFile & FileResult;

/** The inputs that all files of a command share, without the rules. */
interface SharedInputs {
  options: FileCommandOptions;
  /** The source of the option `--source`. */
  source: Source | undefined;
  /** All sources of the account. Undefined without the service. */
  sources: readonly Source[] | undefined;
  /** Without sources, categories are not checked. */
  account: Pick<ImportOptions, 'sources' | 'source'>;
  /** The bytes of the file of rates. */
  rates: Uint8Array | undefined;
  /** The assignments of `--decide`. */
  assignments: RowAssignments;
  /** Asks about an open file. Undefined without a person who can answer: then the file is refused. */
  ask: AskOpen | undefined;
  isOneOfSeveral: boolean;
}

export interface CommandFiles
  extends Pick<MergedFiles, 'repeated'>,
    Pick<SharedInputs, 'sources' | 'source' | 'rates'> {
  files: readonly CommandFile[];
  entries: readonly FileEntry[];
  rules: Rules | undefined;
  /** Reads the same files with other rules. */
  readAgain(rules: Rules | undefined): Promise<CommandFiles>;
}

const STDIN_DESCRIPTOR = 0;

/** The name of standard input in messages. */
export const STANDARD_INPUT = 'standard input';

/**
 * Reads rates and rules, then the sources with their categories, then all files.
 * @param ledger undefined: categories are not checked, and no rule can name a source
 * @throws CliError
 */
export async function readFiles(
  names: readonly string[],
  ledger: Ledger | undefined,
  options: FileCommandOptions,
  assignments: RowAssignments = NO_ASSIGNMENTS,
  ask?: AskOpen,
): Promise<CommandFiles> {
  requireEachOnce(names);
  const optionsOf = fileOptions(names, options);
  const rates = options.rates === undefined ? undefined : await readBytes(options.rates);
  const rules = await readRules(options);
  if (options.source === undefined && rules === undefined && !names.map(optionsOf).some(namesSources)) {
    throw usageError(
      'Name the source of the entries with --source, or a rules file that does with --rules, or a column with --map source=….',
    );
  }
  const sources = await ledger?.sources();
  const source = sources && options.source !== undefined ? sourceIn(sources, options.source) : undefined;
  const account =
    ledger && sources ? { sources: await sourcesWithCategories(ledger, sources), source: source?.id } : {};
  const files = await Promise.all(
    names.map(async (name) => ({
      name,
      bytes: await inputOf(name, options.io),
      ownOptions: optionsOf(name),
    })),
  );
  const isOneOfSeveral = names.length > 1;
  return readAll(
    files,
    { options, source, sources, account, rates, assignments, ask, isOneOfSeveral },
    rules,
  );
}

function requireEachOnce(names: readonly string[]): void {
  if (names.includes('-') && names.length > 1)
    throw usageError('Standard input goes alone: name files, or - for standard input.');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw usageError(`${twice} is named twice.`);
}

const inputOf = (name: string, { stdin }: Pick<Io, 'stdin'>): Promise<Uint8Array> =>
  name === '-' ? readBounded(stdin) : readBytes(name);

/** One file after the other: each may ask a person. */
async function readAll(
  given: readonly InputFile[],
  shared: SharedInputs,
  rules: Rules | undefined,
): Promise<CommandFiles> {
  const read: CommandFile[] = [];
  for (const file of given) read.push(await withAnsweredRows(file, shared, rules));
  const files = read.map((file) => ({ ...file, name: file.name === '-' ? STANDARD_INPUT : file.name }));
  const merged = mergeFiles(files);
  requireNamed(merged);
  const { entries, repeated } = merged;
  const { sources, source, rates } = shared;
  const readAgain = (other: Rules | undefined) => readAll(read, shared, other);
  return { files, entries, repeated, sources, source, rules, rates, readAgain };
}

/** The assignments of `--decide` name rows of the file as it is read without them. */
async function withAnsweredRows(
  given: InputFile,
  shared: SharedInputs,
  rules: Rules | undefined,
): Promise<CommandFile> {
  const file = await readOrAsk(given, shared, rules);
  const corrections = correctionsByAssignments(file.result, shared.assignments);
  return corrections.size === 0 ? file : readOrAsk(file, shared, rules, corrections);
}

/** Asks a person about an open file, and reads it with the answers. @throws CliError without answers */
async function readOrAsk(
  { name, bytes, ownOptions }: InputFile,
  shared: SharedInputs,
  rules: Rules | undefined,
  corrections?: ImportOptions['corrections'],
): Promise<CommandFile> {
  const options = importOptions({ fileName: name, ...ownOptions, rules: rules?.text, corrections }, shared);
  try {
    return { name, bytes, ownOptions, result: withAdvice(await readImportFile(bytes, options)) };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const shownName = shared.isOneOfSeveral ? name : undefined;
    const answered = error.questions?.length ? await shared.ask?.(error, ownOptions, shownName) : undefined;
    if (answered) return readOrAsk({ name, bytes, ownOptions: answered }, shared, rules, corrections);
    throw await refusalWithOptions(error, shownName, options, bytes);
  }
}

/** The options of the reader, as the command line has them: the reader checks the values. */
function importOptions(
  file: ImportOptions,
  { options, account, rates }: Pick<SharedInputs, 'options' | 'account' | 'rates'>,
): ImportOptions {
  const { categoryIncome, categoryExpense, dateFormat } = options;
  const settings = (Object.keys(FILE_SETTINGS) as FileSetting[]).map((name) => [name, options[name]]);
  const all = {
    ...Object.fromEntries(settings),
    dateFormat: dateFormat === undefined ? undefined : dateOrder(dateFormat),
    ...account,
    categoryIncome,
    categoryExpense,
    rates: rates && ownFileText(`${options.rates}`, rates),
    ...file,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as ImportOptions;
}

/** For example `dmy` for dd/mm/yyyy. */
const dateOrder = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/(.)\1+/g, '$1');

/** The refusal of a file, with the options that would answer its questions. */
async function refusalWithOptions(
  error: ImportError,
  shownName: string | undefined,
  given: ImportOptions,
  bytes: Uint8Array,
): Promise<CliError> {
  const { code, questions } = error;
  const message = questions ? refusalText(error) : messageWithAdvice(error);
  const lines = [
    ...questionLines(error, shownName),
    ...(await proposalLines(error, shownName, given, (options) => readImportFile(bytes, options))),
  ];
  const text = shownName === undefined ? message : `${shownName}: ${message}`;
  return new CliError(EXIT.USAGE, text, code, lines, questions ? { questions } : {});
}

/** @throws CliError for equal rows of files that do not name their accounts */
export function requireNamed({ unnamed }: Pick<MergedFiles, 'unnamed'>): void {
  if (!unnamed) return;
  const { file, row, first } = unnamed;
  throw usageError(
    `Row ${row} of ${file} is equal to row ${first.row} of ${first.file}, and neither names its account. Name the account of each file with --account FILE=NAME, the same name for files of one account.`,
  );
}

/** The input files, which no command overwrites. */
export function inputsOf(names: readonly string[], options: FileCommandOptions): Inputs {
  const { rules, rates, previous } = options;
  return [
    ...names.map((name) => (name === '-' ? STDIN_DESCRIPTOR : name)),
    ...(rules === false ? [] : [rules ?? keptRulesFile(options)]),
    ...[rates, previous].filter((file) => file !== undefined),
    profilesFile(options),
  ];
}
