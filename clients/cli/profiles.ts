/** Where the command finds the service and the API key: the environment, then the profile that `ledger login` stored. */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliError, EXIT, usageError } from './exit.ts';

export interface Profile {
  url: string;
  apiKey: string;
}

const DEFAULT_URL = 'http://localhost:3000';

const env = process.env;

/** The file of all profiles, in the user's configuration directory. */
function profilesFile(): string {
  const directory =
    env.XDG_CONFIG_HOME ||
    (process.platform === 'win32' && env.APPDATA) ||
    join(env.HOME || homedir(), '.config');
  return join(directory, 'bookkeeping-ledger', 'profiles.json');
}

/** @throws CliError when the file is damaged */
function readProfiles(file: string): Record<string, Profile> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {};
  }
  try {
    const profiles: unknown = JSON.parse(text);
    if (typeof profiles === 'object' && profiles !== null) return profiles as Record<string, Profile>;
  } catch {
    // Reported below.
  }
  throw usageError(`${file} is damaged: delete it and run \`ledger login\` again.`);
}

/** Readable by the user only, and never half written. */
function writeProfiles(file: string, profiles: Record<string, Profile>): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const temporary = `${file}.${process.pid}.new`;
    writeFileSync(temporary, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
    chmodSync(temporary, 0o600);
    renameSync(temporary, file);
  } catch (error) {
    throw usageError(`${file} cannot be written: ${(error as Error).message}.`);
  }
}

export function saveProfile(name: string, profile: Profile): string {
  const file = profilesFile();
  writeProfiles(file, { ...readProfiles(file), [name]: profile });
  return file;
}

/** @returns whether there was such a profile */
export function removeProfile(name: string): boolean {
  const file = profilesFile();
  const { [name]: removed, ...others } = readProfiles(file);
  if (removed) writeProfiles(file, others);
  return removed !== undefined;
}

/** The URL for a login: the option, LEDGER_URL, the profile's, or the local service. */
export function urlFor(name: string, option: string | undefined): string {
  const url = option ?? (env.LEDGER_URL || readProfiles(profilesFile())[name]?.url) ?? DEFAULT_URL;
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw usageError(`${JSON.stringify(url)} is not the URL of a service: use one such as ${DEFAULT_URL}.`);
  }
  if (parsed.username || parsed.password) {
    throw usageError('The URL of the service must not contain a user name or a password.');
  }
  // As `bun run start` prints it.
  return parsed.origin + parsed.pathname.replace(/\/(api\/v1\/?)?$/, '');
}

/** Never shows the key. */
export function requireKey(apiKey: string): void {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return;
  throw new CliError(
    EXIT.USAGE,
    'The API key is malformed: it must be one word of ASCII characters.',
    'no_key',
  );
}

/** @throws CliError when there is no key */
export function currentProfile(name: string): Profile {
  const apiKey = env.LEDGER_API_KEY || readProfiles(profilesFile())[name]?.apiKey;
  if (!apiKey) {
    const login = name === 'default' ? 'ledger login' : `ledger login --profile ${name}`;
    throw new CliError(EXIT.USAGE, `There is no API key: run \`${login}\`, or set LEDGER_API_KEY.`, 'no_key');
  }
  requireKey(apiKey);
  return { url: urlFor(name, undefined), apiKey };
}

/** The stored login to use. */
export const profileName = ({ profile }: { profile?: string }) =>
  profile ?? (env.LEDGER_PROFILE || 'default');

/** A key from the environment, for a login that is not typed. */
export const keyFromEnvironment = (): string | undefined => env.LEDGER_API_KEY || undefined;
