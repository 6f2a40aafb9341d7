/** The arguments of `push` and `reconcile` for files of the model. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BankFile } from './bank.ts';
import { type Rules, textOfRules } from './rules.ts';
import { namesItsAccount } from './story.ts';

export interface Given {
  path: string;
  file: BankFile;
}

/** @param label the name of the account, if the file does not have it */
export function argumentsOf(files: readonly Given[], rules: Rules, folder: string, label?: string): string[] {
  // A bank account: money out has a minus.
  const maps = files
    .filter(({ file }) => file.format === 'plain' || file.format === 'plainWithIds')
    .flatMap(({ path }) => ['--map', `${files.length > 1 ? `${path}:` : ''}amount=Amount`]);
  const isDated = files.some(({ file }) => file.format === 'qif');
  return [
    ...files.map(({ path }) => path),
    ...ruleArguments(rules, folder),
    ...maps,
    ...(isDated ? ['--date-format', 'dmy'] : []),
    ...(label === undefined ? [] : ['--account-label', label]),
  ];
}

/** Names the account of each file that does not, if it is one of these accounts. */
export const accountArguments = (files: readonly Given[], accounts: ReadonlySet<number>): string[] =>
  files
    .filter(({ file }) => !namesItsAccount(file) && accounts.has(file.account))
    .flatMap(({ path, file }) => ['--account', `${path}=account ${file.account}`]);

function ruleArguments(rules: Rules, folder: string): string[] {
  if (rules.rules.length === 0) return ['-s', rules.otherwise, '--no-rules'];
  const path = join(folder, `${rules.name}.txt`);
  writeFileSync(path, textOfRules(rules));
  return ['--rules', path];
}
