/** The rules of a command: from the option, else the kept rules of the profile. `ledger rules` checks and keeps them. */
import { existsSync } from 'node:fs';
import { ImportError } from '../typescript/import/index.ts';
import { countRules } from '../typescript/import/plan/compiled-rules.ts';
import { keptChoicesOf, withEarlierChoices } from '../typescript/import/plan/kept-choices.ts';
import { connect, type GlobalOptions, planSources } from './context.ts';
import { CliError, EXIT } from './exit.ts';
import { counted } from './output.ts';
import { type ConnectionOptions, profileFile, writeKept } from './profiles.ts';
import { readBytes } from './statement-options.ts';

export interface Rules {
  /** The path, for people. */
  file: string;
  text: string;
  /** The text of the file. */
  bytes: Uint8Array;
}

export interface RulesOptions extends ConnectionOptions {
  /** A file; false with --no-rules. */
  rules?: string | false;
}

/** The path of the kept rules of a profile. */
export const keptRulesFile = (options: ConnectionOptions): string => profileFile(options, 'rules', 'txt');

/** Undefined if there are none. @throws CliError when the file cannot be read */
export async function readRules(options: RulesOptions): Promise<Rules | undefined> {
  const { rules } = options;
  if (rules === false) return undefined;
  const file = rules ?? keptRulesFile(options);
  if (rules === undefined && !existsSync(file)) return undefined;
  const bytes = await readBytes(file);
  return { file, text: new TextDecoder().decode(bytes), bytes };
}

/** Shows the path of the kept rules, or checks `file` against the sources of the account and keeps it. */
export async function keepRules(file: string | undefined, options: GlobalOptions): Promise<void> {
  const { ledger, output } = connect(options);
  const kept = keptRulesFile(options);
  const rules = await readRules(file === undefined ? options : { ...options, rules: file });
  if (!rules) {
    output.result({ file: kept, rules: null }, [
      `No rules are kept. \`ledger rules FILE\` keeps the rules of FILE in ${kept}.`,
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
  // Choices of columns that push has kept stay, unless the file has others for the same files.
  const before = file === undefined ? undefined : await readRules(options);
  const text = withEarlierChoices(rules.text, before?.text ?? '');
  if (file !== undefined) await writeKept(kept, text, [file]);
  const columns = keptChoicesOf(text).length;
  output.result({ file: kept, rules: count, columns }, [
    `${counted(count, 'rule is', 'rules are')} kept in ${kept}, and used by push, reconcile and figures.`,
    ...(columns > 0
      ? [`${counted(columns, 'line', 'lines')} about columns: push reads such files without questions.`]
      : []),
  ]);
}
