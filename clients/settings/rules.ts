/** The rules of a command: from the option, else the kept rules of the profile. */
import { existsSync } from 'node:fs';
import { ownFileText } from '../files/own-file.ts';
import { readBytes } from '../files/read-bytes.ts';
import { type ConnectionOptions, profileFile } from './profiles.ts';

export interface Rules {
  /** The path of the rules, for people. */
  file: string;
  text: string;
  /** The file as it is: `text` may have suggested rules added. */
  bytes: Uint8Array;
}

export interface RulesOptions extends ConnectionOptions {
  /** The path of a rules file; false with --no-rules. */
  rules?: string | false;
}

/** The path of the kept rules of a profile. */
export const keptRulesFile = (options: ConnectionOptions): string => profileFile(options, 'rules', 'txt');

/** Undefined if there are none. @throws UserError when the file cannot be read, or is not in UTF-8 */
export async function readRules(options: RulesOptions): Promise<Rules | undefined> {
  const { rules } = options;
  if (rules === false) return undefined;
  const file = rules ?? keptRulesFile(options);
  if (rules === undefined && !existsSync(file)) return undefined;
  const bytes = await readBytes(file);
  return { file, text: ownFileText(file, bytes), bytes };
}
