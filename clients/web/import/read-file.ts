/** Reading the files of the import with the settings and corrections of a person. */

import { ImportError } from '../../typescript/import/import-error.ts';
import type { ImportOptions } from '../../typescript/import/options.ts';
import type { Question } from '../../typescript/import/questions-and-answers.ts';
import { keptAnswersText } from '../../typescript/import/rules/kept-answers.ts';
import { withCategories } from '../../typescript/source-categories.ts';
import { haveSameMembers } from '../page/memo.ts';
import { inWords } from '../page/words.ts';
import { answersOfUses, conflictsOf, foundUses } from './column-uses.ts';
import { isRunning } from './push-state.ts';
import type { Reader, ReaderOf } from './reader.ts';
import type { AccountFacts, CachedResult, FileFacts, GivenFile, ParseOptions } from './state.ts';
import type { Store } from './store.ts';

/**
 * Reads the files whose settings or corrections have changed. A later call, or other files, make an earlier call void.
 * @returns whether the outcome is shown
 */
export function filesReader({ get, set, prepare }: Store, readerOf: ReaderOf): () => Promise<boolean> {
  const readers = new WeakMap<GivenFile, Reader>();
  const readOne = async (facts: FileFacts): Promise<FileFacts> => {
    const reader = readers.get(facts.file) ?? readerOf(facts.file.bytes);
    readers.set(facts.file, reader);
    const read = await readWith(reader, { ...get(), ...facts }, facts.read);
    const outcome = read instanceof ImportError ? { problem: read } : { read, problem: undefined };
    const found = hasUses(facts) ? facts.foundUses : foundUses(resultAndProblem(outcome), isOfUse);
    const problem = withConflicts(outcome, facts.parseOptions, found);
    const usesOfRead = facts.parseOptions.uses;
    if (!problem) return { ...facts, ...outcome, foundUses: found, usesOfRead };
    return {
      ...facts,
      foundUses: found,
      usesOfRead,
      problem,
      ...(get().step === 'file' && { read: undefined }),
    };
  };
  return async () => {
    const pending = {};
    const isCurrent = () => get().pending === pending;
    const { files: before } = get();
    set({ pending });
    let files: FileFacts[] = [];
    try {
      for (const each of before)
        files.push(isReadUpToDate({ ...get(), ...each }) ? each : await readOne(each));
      await prepare({ files });
    } catch (error) {
      files = before.map((each) => ({ ...each, problem: asImportError(error) }));
    }
    if (!isCurrent()) return false;
    // The part that was sent is no longer a part of what would be sent.
    set({ files, pending: undefined, ...(!isRunning(get()) && { push: undefined }) });
    return true;
  };
}

const hasUses = ({ parseOptions: { uses = {} } }: FileFacts) => Object.keys(uses).length > 0;

/** Of an amount with an open direction, only the direction is open: words or a balance may say it later. */
const isOfUse = ({ kind }: Question) => kind !== 'direction';

type AttemptOutcome = Pick<FileFacts, 'problem'> & { read?: CachedResult };
const resultAndProblem = ({ read, problem }: AttemptOutcome) => ({ result: read?.result, problem });

/** A file whose answers exclude each other is not read. */
function withConflicts(
  outcome: AttemptOutcome,
  { uses }: ParseOptions,
  found: FileFacts['foundUses'],
): ImportError | undefined {
  const { problem, read } = outcome;
  const conflicts = conflictsOf(resultAndProblem(outcome), uses, found);
  if (conflicts.length === 0) return problem;
  const table = read && { ...read.result.recognised, rows: [] };
  const message = conflicts.map((each) => each.message).join(' ');
  return Object.assign(problem ?? new ImportError('unresolved_columns', message, 'map'), {
    ...(table && { table }),
    questions: [...conflicts, ...(problem?.questions ?? [])],
  });
}

type ReaderInputs = Pick<FileFacts, 'file' | 'parseOptions' | 'corrections'> &
  Pick<AccountFacts, 'sources' | 'source' | 'isByRules' | 'allCategories' | 'categorising' | 'rates'>;

const SETTINGS = [
  ...(['parseOptions', 'sources', 'source', 'isByRules'] as const),
  ...(['allCategories', 'categorising', 'rates'] as const),
];
const settingsOfInputs = (inputs: ReaderInputs) => SETTINGS.map((name) => inputs[name]);

const isReadUpToDate = ({ read, problem, ...inputs }: ReaderInputs & FileFacts): boolean =>
  read !== undefined &&
  !problem &&
  read.corrections === inputs.corrections &&
  haveSameMembers(read.readSettings, settingsOfInputs(inputs));

/** Reads a file. @param before the last read: its result without corrections is used again. Never rejects. */
export async function readWith(
  read: Reader,
  inputs: ReaderInputs,
  before?: CachedResult,
): Promise<CachedResult | ImportError> {
  const { file, corrections, source } = inputs;
  const readSettings = settingsOfInputs(inputs);
  const options = readerOptions(inputs);
  try {
    const result = await read({ ...options, corrections });
    const known = { file, name: file.name, readSettings, source, corrections, result };
    if (corrections.size === 0) return { ...known, original: result };
    const isKnown = before && haveSameMembers(before.readSettings, readSettings);
    return { ...known, original: isKnown ? before.original : await read(options) };
  } catch (error) {
    return asImportError(error);
  }
}

function readerOptions(inputs: ReaderInputs): ImportOptions {
  const { file, parseOptions, sources, source, isByRules, allCategories, categorising, rates } = inputs;
  const { uses, ...options } = parseOptions;
  const { rules, income, expense } = categorising;
  return {
    fileName: file.name,
    ...options,
    ...answersOfUses(uses),
    accountLabel: options.accountLabel || undefined,
    rates: rates && new TextDecoder().decode(rates.bytes),
    rules: keptAnswersText(rules) || undefined,
    // Rules and defaults name categories, and mean nothing before those are known. Before a source is chosen, no row lacks one.
    ...(allCategories &&
      (source || isByRules) && {
        sources: withCategories(sources, allCategories),
        source: source?.id,
        rules: rules || undefined,
        categoryIncome: income || undefined,
        categoryExpense: expense || undefined,
      }),
  };
}

function asImportError(error: unknown): ImportError {
  if (error instanceof ImportError) return Object.assign(error, { message: inWords(error.message) });
  return new ImportError('unreadable_file', 'The file cannot be read.');
}
