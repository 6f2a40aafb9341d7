/** The options of a server, from its arguments and its environment. */
import { realpathSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UserError } from '../files/user-error.ts';
import type { Io } from '../settings/io.ts';
import { keepClosings, readClosings } from '../settings/profile-closings.ts';
import { currentProfile, requireOwnEnvironment } from '../settings/profiles.ts';
import { readRules } from '../settings/rules.ts';
import type { ServerOptions } from './server.ts';

/** @returns undefined if the arguments ask for help. @throws Error with a sentence for the operator */
export function serverOptions(
  args: readonly string[],
  io: Pick<Io, 'env' | 'execArgv' | 'cwd'>,
): ServerOptions | undefined {
  const { folder, profile, insecure, help, ...values } = parseArgs({
    args,
    options: {
      folder: { type: 'string' },
      profile: { type: 'string' },
      insecure: { type: 'boolean', default: false },
      'read-only': { type: 'boolean', default: false },
      text: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values;
  if (help) return undefined;
  requireOwnEnvironment(io);
  const options = { io, insecure, ...(profile !== undefined && { profile }) };
  return {
    ...currentProfile(options),
    isReadOnly: values['read-only'],
    isText: values.text,
    folder: folder === undefined ? undefined : folderAt(folder),
    readRules: async () => (await readRules(options))?.text,
    closings: { read: () => readClosings(options), keep: (balances) => keepClosings(options, balances) },
  };
}

/** The real path of the folder, so that no link in it leads out of it. @throws UserError */
function folderAt(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`--folder takes an existing folder, and ${path} is none.`);
  }
  return realpathSync(path);
}
