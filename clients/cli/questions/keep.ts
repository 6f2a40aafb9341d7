/** Keeps the answers about columns with the rules of the profile, if the person agrees. */
import { existsSync } from 'node:fs';
import { ownFileText } from '../../files/own-file.ts';
import { readBytes } from '../../files/read-bytes.ts';
import { writeKept } from '../../settings/profiles.ts';
import { keptRulesFile } from '../../settings/rules.ts';
import { type KeptAnswers, withKeptAnswers } from '../../typescript/import/index.ts';
import { keptLine } from '../../typescript/import/rules/kept-answers.ts';
import type { GlobalOptions } from '../connection.ts';
import { printError } from '../output.ts';
import { confirm } from '../prompt.ts';

interface KeepOptions extends GlobalOptions {
  /** Keeps the answers without a question. */
  keep?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  /** The path of a rules file; false with --no-rules. */
  rules?: string | false;
}

/** The lines of rules, and how to keep them. */
function keepLines(toKeep: readonly KeptAnswers[], isKept: boolean, { rules }: KeepOptions): string[] {
  if (toKeep.length === 0 || rules === false) return [];
  const how = isKept
    ? 'Kept for later files of the kind:'
    : rules === undefined
      ? '--keep keeps these columns for later files of the kind:'
      : `Add to ${rules}, so that later files of the kind ask nothing:`;
  const isNamed = toKeep.every(({ accounts }) => accounts.length > 0);
  return [how, ...toKeep.map((each) => `  ${keptLine(each)}`), ...(isNamed ? [] : [UNNAMED])];
}

const UNNAMED =
  'This counts for all files with this header that name no account. If several accounts have it, name each with --account-label.';

/** Whether the answers are to be kept: by the option, or by an answer on the terminal. */
async function askToKeep(toKeep: readonly KeptAnswers[], options: KeepOptions): Promise<boolean> {
  const { keep = false, yes = false, json = false, dryRun = false, rules, io } = options;
  if (toKeep.length === 0 || rules !== undefined || dryRun) return false;
  if (keep || yes || json || !io.stdin.isTTY) return keep;
  return confirm(`Keep these columns for later files of the kind, in ${keptRulesFile(options)}?`, io);
}

/** Keeps the answers, if the option or the person says so. @returns their lines, and how to keep them otherwise */
export async function keepColumns(toKeep: readonly KeptAnswers[], options: KeepOptions): Promise<string[]> {
  const isKept = await askToKeep(toKeep, options);
  try {
    if (isKept) await keepAnswers(toKeep, options);
    return keepLines(toKeep, isKept, options);
  } catch (error) {
    // The entries are sent in any case.
    printError(options.io, `The columns are not kept: ${(error as Error).message}`);
    return [];
  }
}

/** Adds the answers to the kept rules as they are now. */
async function keepAnswers(toKeep: readonly KeptAnswers[], options: KeepOptions): Promise<void> {
  const file = keptRulesFile(options);
  const before = existsSync(file) ? ownFileText(file, await readBytes(file)) : '';
  await writeKept(file, toKeep.reduce(withKeptAnswers, before));
}
