/** Reads the statements of a command, with the rules and the sources of the account. */

import type { PreviousOption } from '../settings/closings.ts';
import { profilesFile } from '../settings/profiles.ts';
import { keptRulesFile, type Rules, readRules } from '../settings/rules.ts';
import { sourceIn } from '../settings/sources.ts';
import type { Inputs } from '../settings/whole-file.ts';
import type { Ledger, Source } from '../typescript/index.ts';
import { type JoinedFiles, joinFiles } from '../typescript/match/compared.ts';
import type { FileEntry, ReadFile } from '../typescript/match/row.ts';
import { sourcesWithCategories } from '../typescript/source-categories.ts';
import { answeredRows, NO_ANSWERS, type RowAnswers } from './decisions/decisions-file.ts';
import { usageError } from './exit.ts';
import { type FileOptions, fileOptions } from './file-options.ts';
import {
  type AccountContext,
  type AskOpen,
  readFile,
  readInput,
  readRates,
  type StatementOptions,
} from './statement-options.ts';

export interface Statements extends Pick<JoinedFiles, 'repeated'> {
  files: readonly (ReadFile & { bytes: Uint8Array })[];
  entries: readonly FileEntry[];
  /** Undefined without the service. */
  sources: readonly Source[] | undefined;
  /** The source of the option `--source`. */
  source: Source | undefined;
  rules: Rules | undefined;
  /** The bytes of the file of rates. */
  rates: Uint8Array | undefined;
  /** Reads the same files with other rules. */
  readAgain(rules: Rules | undefined): Promise<Statements>;
}

/** Standard input, as a descriptor. */
const DESCRIPTOR = 0;

/** The name of standard input in messages. */
export const STANDARD_INPUT = 'standard input';

/**
 * Reads all files before any other step.
 * @param ledger undefined: categories are not checked, and no rule can name a source
 * @throws CliError
 */
export async function readStatements(
  names: readonly string[],
  ledger: Ledger | undefined,
  options: StatementOptions,
  answers: RowAnswers = NO_ANSWERS,
  ask?: AskOpen,
): Promise<Statements> {
  if (names.filter((name) => name === '-').length > 0 && names.length > 1)
    throw usageError('Standard input goes alone: name files, or - for standard input.');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw usageError(`${twice} is named twice.`);
  const ofFile = fileOptions(names, options);
  const own = new Map(names.map((name) => [name, ofFile(name)]));
  const rates = await readRates(options);
  const rules = await readRules(options);
  if (options.source === undefined && rules === undefined && ![...own.values()].some(namesSources)) {
    throw usageError(
      'Name the source of the entries with --source, or a rules file that does with --rules, or a column with --map source=….',
    );
  }
  const sources = await ledger?.sources();
  const source = sources && options.source !== undefined ? sourceIn(sources, options.source) : undefined;
  const account: AccountContext =
    ledger && sources ? { sources: await sourcesWithCategories(ledger, sources), source: source?.id } : {};
  const inputs = await Promise.all(names.map((name) => readInput(name, options.io)));
  const readAll = async (rules: Rules | undefined): Promise<Statements> => {
    const files: Statements['files'][number][] = [];
    const texts = { rules: rules?.text, rates: rates && new TextDecoder().decode(rates) };
    for (const [index, name] of names.entries()) {
      const file = { name, bytes: inputs[index] as Uint8Array, options, ...texts };
      const askOnce: AskOpen | undefined =
        ask &&
        (async (error, before, of) => {
          const answered = await ask(error, before, of);
          if (answered) own.set(name, answered);
          return answered;
        });
      const read = (more: Pick<AccountContext, 'corrections'>) =>
        readFile({
          ...file,
          account: { ...account, ...more },
          own: own.get(name) ?? {},
          ask: askOnce,
          isOneOfSeveral: names.length > 1,
        });
      const asked = await read({});
      const corrections = answeredRows(asked, answers);
      const statement = corrections.size === 0 ? asked : await read({ corrections });
      files.push({ name: name === '-' ? STANDARD_INPUT : name, result: statement, bytes: file.bytes });
    }
    const joined = joinFiles(files);
    requireNamed(joined);
    const { entries, repeated } = joined;
    return { files, entries, repeated, sources, source, rules, rates, readAgain: readAll };
  };
  return readAll(rules);
}

const namesSources = ({ map, amounts = [] }: FileOptions) =>
  Boolean(map?.source) || (amounts.length > 0 && amounts.every(({ source }) => source !== undefined));

/** @throws CliError for equal rows of files that do not name their accounts */
export function requireNamed({ unnamed }: Pick<JoinedFiles, 'unnamed'>): void {
  if (!unnamed) return;
  const { file, row, first } = unnamed;
  throw usageError(
    `Row ${row} of ${file} is equal to row ${first.row} of ${first.file}, and neither names its account. Name the account of each file with --account FILE=NAME, the same name for files of one account.`,
  );
}

/** The input files, which no command overwrites. */
export function inputsOf(names: readonly string[], options: StatementOptions & PreviousOption): Inputs {
  const { rules, rates, previous } = options;
  return [
    ...names.map((name) => (name === '-' ? DESCRIPTOR : name)),
    ...(rules === false ? [] : [rules ?? keptRulesFile(options)]),
    ...[rates, previous].filter((file) => file !== undefined),
    profilesFile(options),
  ];
}
