/** The first step of a push: reads the files by the rules, and the kept balances. */

import { readClosings } from '../../settings/profile-closings.ts';
import { type BalanceCheck, balanceChecks } from '../../typescript/balances/balances.ts';
import type { KeptChoices } from '../../typescript/import/index.ts';
import { choicesToKeep } from '../../typescript/import/kept/to-keep.ts';
import type { CompareOptions } from '../../typescript/match/match.ts';
import type { Suggestion } from '../../typescript/suggestions/suggestions.ts';
import { askOn } from '../questions/ask.ts';
import { type CommandFiles, readFiles } from '../read-files.ts';
import type { PushSetup } from './push-setup.ts';
import { withSuggestedRules } from './suggestions.ts';

/** A push whose files are read, and that has compared and sent nothing yet: all that its further steps depend on. */
export interface ReadPush extends Omit<PushSetup, 'previous' | 'decisions'> {
  read: CommandFiles;
  /** Rules suggested by the books. --suggest applies them. */
  suggestions: readonly Suggestion[];
  /** The decisions so far, and the closing balances that the files go on from. */
  decided: Omit<CompareOptions, 'source'>;
  /** By file: one for each bank account. */
  balances: readonly (readonly BalanceCheck[])[];
  /** The choices of columns that the rules do not keep yet. */
  toKeep: readonly KeptChoices[];
}

/** @throws CliError, UserError */
export async function readPush({ previous, decisions, ...setup }: PushSetup): Promise<ReadPush> {
  const { names, options, output, ledger } = setup;
  const { answers, ...decided } = decisions;
  const canAsk = options.io.stdin.isTTY && !options.yes && !output.isJson && !names.includes('-');
  const byRules = await readFiles(names, ledger, options, answers, canAsk ? askOn(options.io) : undefined);
  const { read, suggestions } = await withSuggestedRules(byRules, setup);
  const kept = readClosings(options);
  const closings = new Map([...kept, ...(previous?.closings ?? [])]);
  return {
    ...setup,
    read,
    suggestions,
    decided: { ...decided, closings },
    balances: balanceChecks(read.files, closings),
    toKeep: choicesToKeep(read.files, read.rules?.text),
  };
}
