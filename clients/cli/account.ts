/** login, logout, whoami, sources, categories. */

import {
  keyFromEnvironment,
  profileName,
  removeProfile,
  requireKey,
  saveProfile,
  urlForLogin,
} from '../settings/profiles.ts';
import type { Account, CategorySet, SourceType } from '../typescript/index.ts';
import { connect, type GlobalOptions, newLedger } from './connection.ts';
import { CliError, EXIT } from './exit.ts';
import { createOutput, table } from './output.ts';
import { readSecret } from './prompt.ts';

/** Checks a key with the service and stores it. */
export async function login(options: GlobalOptions & { url?: string }): Promise<void> {
  const output = createOutput(options);
  const name = profileName(options);
  const url = urlForLogin(options, options.url);
  const apiKey = keyFromEnvironment(options) ?? (await readSecret(`API key for ${url}: `, options.io));
  if (apiKey === '') throw new CliError(EXIT.USAGE, 'No API key was given.', 'no_key');
  requireKey(apiKey);
  const { insecure } = options;
  const account = await newLedger(options, { url, apiKey, insecure }).me();
  const file = await saveProfile(options, { url, apiKey });
  const { accountId, plan, capabilities } = account;
  output.result({ profile: name, url, accountId, plan, canWrite: capabilities.writeBookkeeping, file }, [
    `Logged in to ${url} as account ${accountId} (${plan}). The key is stored in ${file}.`,
    ...keyNotes(account),
  ]);
}

/** Deletes the key of the profile. */
export async function logout(options: GlobalOptions): Promise<void> {
  const name = profileName(options);
  const removed = await removeProfile(options);
  createOutput(options).result({ profile: name, removed }, [
    removed ? `The key of profile ${name} is deleted.` : `Profile ${name} has no key.`,
  ]);
}

/** Prints the account of the key. @throws UserError without a key, LedgerError */
export async function whoami(options: GlobalOptions): Promise<void> {
  const { ledger, output } = connect(options);
  const account = await ledger.me();
  const { accountId, plan, note } = account;
  output.result(account, [
    `Account ${accountId}, plan ${plan}.`,
    ...keyNotes(account),
    ...(note ? [note] : []),
  ]);
}

/** Lines of `login` and `whoami` about a key that reads only. */
const keyNotes = ({ capabilities }: Account): string[] =>
  capabilities.writeBookkeeping ? [] : ['The key reads only: `ledger push` needs a key that can write.'];

/** Prints the sources of the account. @throws UserError without a key, LedgerError */
export async function listSources(options: GlobalOptions): Promise<void> {
  const { ledger, output } = connect(options);
  const sources = await ledger.sources();
  const rows = sources.map(({ name, type, countryCode, transactionCount, id }) => ({
    name,
    type,
    country: countryCode,
    entries: transactionCount,
    id,
  }));
  output.result({ sources }, rows.length > 0 ? table(rows) : ['The account has no sources.']);
}

/** Prints the categories of all types of sources, or of one. @throws UserError without a key, LedgerError */
export async function listCategories(type: string | undefined, options: GlobalOptions): Promise<void> {
  const { ledger, output } = connect(options);
  const sets: Record<string, CategorySet> =
    type === undefined ? await ledger.categories() : { [type]: await ledger.categories(type as SourceType) };
  const rows = Object.entries(sets).flatMap(([sourceType, set]) =>
    (['income', 'expense'] as const).flatMap((entryType) =>
      set[entryType].map(({ key, label }) => ({ source: sourceType, type: entryType, category: key, label })),
    ),
  );
  output.result(type === undefined ? sets : sets[type], table(rows));
}
