/** Reads the files of a push by the rules, and the kept balances. `push-setup.ts` comes before it, the comparison after it. */

import { readClosings } from '../../settings/profile-closings.ts';
import { type BalanceCheck, balanceChecks } from '../../typescript/balances/balances.ts';
import type { KeptAnswers } from '../../typescript/import/index.ts';
import { answersToKeep } from '../../typescript/import/kept/to-keep.ts';
import type { CompareOptions } from '../../typescript/match/match.ts';
import type { Suggestion } from '../../typescript/suggestions/suggestions.ts';
import { askOn } from '../questions/ask.ts';
import { type CommandFiles, readFiles } from '../read-files.ts';
import type { PushSetup } from './push-setup.ts';
import { withSuggestedRules } from './suggestions.ts';

/** A push whose files are read, and that has compared and sent nothing yet: all that its further steps depend on. */
export interface PushWithFiles extends Omit<PushSetup, 'previous' | 'answers'> {
  input: CommandFiles;
  /** Rules suggested by the books. --suggest applies them. */
  suggestions: readonly Suggestion[];
  /** The decisions so far, and the closing balances that the files go on from. */
  compareOptions: Omit<CompareOptions, 'source'>;
  /** By file: one for each bank account. */
  balances: readonly (readonly BalanceCheck[])[];
  /** The answers about columns that the rules do not keep yet. */
  toKeep: readonly KeptAnswers[];
}

/** @throws CliError, UserError */
export async function readPushFiles({ previous, answers, ...setup }: PushSetup): Promise<PushWithFiles> {
  const { names, options, output, ledger } = setup;
  const { assignments, ...decisions } = answers;
  const canAsk = options.io.stdin.isTTY && !options.yes && !output.isJson && !names.includes('-');
  const byRules = await readFiles(
    names,
    ledger,
    options,
    assignments,
    canAsk ? askOn(options.io) : undefined,
  );
  const { input, suggestions } = await withSuggestedRules(byRules, setup);
  const kept = readClosings(options);
  const closings = new Map([...kept, ...(previous?.closings ?? [])]);
  return {
    ...setup,
    input,
    suggestions,
    compareOptions: { ...decisions, closings },
    balances: balanceChecks(input.files, closings),
    toKeep: answersToKeep(input.files, input.rules?.text),
  };
}
