/** The rules of a command: those of the option, else those that are kept for the profile. `ledger rules` keeps and checks them. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ImportError } from '../typescript/import/index.ts';
import { countRules } from '../typescript/import/plan/settled-rules.ts';
import { connect, type GlobalOptions, planSources } from './context.ts';
import { CliError, EXIT, usageError } from './exit.ts';
import { counted } from './output.ts';
import { profileName, profilesFile } from './profiles.ts';
import { readBytes } from './statement-options.ts';
import { writeWhole } from './whole-file.ts';

export interface Rules {
  /** The path, for people. */
  file: string;
  text: string;
}

export interface RulesOptions extends GlobalOptions {
  /** A file; false with --no-rules. */
  rules?: string | false;
}

/** Where the rules of a profile are kept. */
export function keptRulesFile(options: GlobalOptions): string {
  const name = profileName(options);
  if (!/^[\w.-]+$/.test(name))
    throw usageError(`The profile ${name} has no file of rules: use letters, digits, - and _.`);
  return join(dirname(profilesFile()), 'rules', `${name}.txt`);
}

/** Undefined if there are none. @throws CliError when the file cannot be read */
export async function readRules(options: RulesOptions): Promise<Rules | undefined> {
  const { rules } = options;
  if (rules === false) return undefined;
  const file = rules ?? keptRulesFile(options);
  if (rules === undefined && !existsSync(file)) return undefined;
  return { file, text: new TextDecoder().decode(await readBytes(file)) };
}

/** Shows where rules are kept, and keeps those of `file`. They are checked against the sources of the account. */
export async function keepRules(file: string | undefined, options: GlobalOptions): Promise<void> {
  const { ledger, output } = connect(options);
  const kept = keptRulesFile(options);
  const rules = await readRules(file === undefined ? options : { ...options, rules: file });
  if (!rules) {
    output.result({ file: kept, rules: null }, [
      `No rules are kept. \`ledger rules FILE\` keeps those of a file in ${kept}.`,
    ]);
    return;
  }
  const sources = await planSources(ledger, await ledger.sources());
  let count: number;
  try {
    count = countRules(rules.text, sources);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new CliError(EXIT.USAGE, error.message, error.code);
  }
  if (file !== undefined) {
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    await writeWhole(kept, [rules.text], { inputs: [file], mode: 0o600 });
  }
  output.result({ file: kept, rules: count }, [
    `${counted(count, 'rule is', 'rules are')} kept in ${kept}, and used by push, prove and figures.`,
  ]);
}
