/** The first step of a push: reads the files by the rules, and the kept balances. */

import { type OutputOptions, requireWritable } from '../../files/whole-file.ts';
import { readClosings } from '../../settings/profile-closings.ts';
import { type BalanceCheck, balanceChecks } from '../../typescript/balances/balances.ts';
import type { KeptChoices } from '../../typescript/import/index.ts';
import { choicesToKeep } from '../../typescript/import/kept/to-keep.ts';
import type { Ledger } from '../../typescript/index.ts';
import type { CompareOptions } from '../../typescript/match/matcher.ts';
import { withSuggestions } from '../../typescript/suggestions/suggested-rules.ts';
import type { Suggestion } from '../../typescript/suggestions/suggestions.ts';
import { connect } from '../connection.ts';
import { readDecisions } from '../decisions/decide.ts';
import { CliError, EXIT, usageError } from '../exit.ts';
import { createOutput, type Output } from '../output.ts';
import { PUSH_REPORT } from '../output-kinds.ts';
import { readPrevious } from '../previous.ts';
import { askOn } from '../questions/ask.ts';
import { inputsOf, type ReadFiles, readFiles } from '../read-files.ts';
import type { PushOptions } from './push-options.ts';
import { suggestionsOf } from './suggestions.ts';

/** The files as read, and all that the further steps of the push depend on. */
export interface ReadPush {
  names: readonly string[];
  options: PushOptions;
  output: Output;
  /** The service. Undefined with --offline. */
  ledger: Ledger | undefined;
  read: ReadFiles;
  /** Rules suggested by the books. --suggest applies them. */
  suggestions: readonly Suggestion[];
  /** The decisions so far, and the closing balances that the files go on from. */
  decided: Omit<CompareOptions, 'source'>;
  /** By file: one for each bank account. */
  balances: readonly (readonly BalanceCheck[])[];
  /** The choices of columns that the rules do not keep yet. */
  toKeep: readonly KeptChoices[];
  reportTarget: OutputOptions;
}

/**
 * Reads the files of a push, after the files that it writes are checked.
 * @returns the files with all that the further steps depend on
 * @throws CliError, UserError
 */
export async function readPush(names: readonly string[], options: PushOptions): Promise<ReadPush> {
  if (options.offline && !options.dryRun) {
    throw usageError('--offline goes with --dry-run: a push needs the service.');
  }
  const output = createOutput(options);
  const ledger = options.offline ? undefined : connect(options).ledger;
  const reportTarget = requireOutputs(names, options);
  const previous = await readPrevious(options);
  const { answers, ...decided } = await readDecisions(options);
  if (ledger && !options.dryRun) await requireWritingKey(ledger);
  const canAsk = options.io.stdin.isTTY && !options.yes && !output.isJson && !names.includes('-');
  const ask = canAsk ? askOn(options.io) : undefined;
  const byRules = await readFiles(names, ledger, options, answers, ask);
  const suggestions =
    ledger && (options.suggest || !output.isJson) ? await suggestionsOf(byRules, ledger, options) : [];
  const read = options.suggest ? await withSuggested(byRules, suggestions) : byRules;
  const kept = readClosings(options);
  const closings = new Map([...kept, ...(previous?.closings ?? [])]);
  return {
    names,
    options,
    output,
    ledger,
    read,
    suggestions,
    decided: { ...decided, closings },
    balances: balanceChecks(read.files, closings),
    toKeep: choicesToKeep(read.files, read.rules?.text),
    reportTarget,
  };
}

/** Checks the files to write before any other step. @returns how to write the report. @throws CliError */
function requireOutputs(names: readonly string[], options: PushOptions): OutputOptions {
  const inputs = inputsOf(names, options);
  const reportTarget = { inputs, kind: PUSH_REPORT, force: options.force };
  if (options.report !== undefined) requireWritable(options.report, reportTarget);
  if (options.decide !== undefined) requireWritable(options.decide, { inputs });
  return reportTarget;
}

/** Reads the files again, with the suggested rules behind the others. */
async function withSuggested(read: ReadFiles, suggestions: readonly Suggestion[]): Promise<ReadFiles> {
  if (suggestions.length === 0) return read;
  const rules = read.rules ?? { file: 'the books', text: '', bytes: new Uint8Array() };
  return read.readAgain({ ...rules, text: withSuggestions(rules.text, suggestions) });
}

/** @throws CliError if the key of the profile reads only */
async function requireWritingKey(ledger: Ledger): Promise<void> {
  const { capabilities } = await ledger.me();
  if (capabilities.writeBookkeeping) return;
  throw new CliError(
    EXIT.SERVICE,
    'Nothing was sent: this API key reads only. Log in with a key that can write, or add --dry-run to compare the file with the books.',
    'read_only_key',
  );
}
