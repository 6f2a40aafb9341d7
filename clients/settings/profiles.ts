/** Finds the service and the API key: in the environment, then in the profile that `ledger login` stored. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UserError } from '../files/user-error.ts';
import { type Inputs, writeWhole } from '../files/whole-file.ts';
import { type EncryptionOptions, exposureOf, isKey, urlFaultOf } from '../typescript/encryption.ts';
import { ownText } from '../typescript/export/own-text.ts';
import type { Io } from './io.ts';

export interface Profile {
  url: string;
  apiKey: string;
}

/** The options that choose the service. */
export interface ConnectionOptions extends EncryptionOptions {
  io: Pick<Io, 'env'>;
  profile?: string;
}

const DEFAULT_URL = 'http://localhost:3000';

/** The environment files that Bun reads when it starts a program. */
const ENV_FILES = ['', '.development', '.production', '.test'].flatMap((kind) => [
  `.env${kind}`,
  `.env${kind}.local`,
]);

/**
 * Refuses the .env files of the current folder, which Bun reads by default. In somebody else's folder, they would choose the service that
 * gets the entries.
 * @throws UserError
 */
export function requireOwnEnvironment({ execArgv, cwd }: Pick<Io, 'execArgv' | 'cwd'>): void {
  if (!process.versions.bun || execArgv.includes('--no-env-file')) return;
  const file = ENV_FILES.find((name) => existsSync(join(cwd(), name)));
  if (file === undefined) return;
  throw new UserError(
    `Bun has read ${file} in this folder, and this command takes nothing from it: use \`bun run ledger\`, or \`bun --no-env-file\`.`,
    'env_file',
  );
}

/** The file of all profiles, in the user's configuration directory. */
export function profilesFile({ io: { env } }: ConnectionOptions): string {
  const directory =
    env.XDG_CONFIG_HOME ||
    (process.platform === 'win32' && env.APPDATA) ||
    join(env.HOME || homedir(), '.config');
  return join(directory, 'bookkeeping-ledger', 'profiles.json');
}

/** @throws UserError when the file is damaged */
function readProfiles(file: string): Record<string, Profile> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UserError(`${file} cannot be read: ${(error as Error).message}.`);
  }
  try {
    const profiles: unknown = JSON.parse(ownText(bytes));
    if (typeof profiles === 'object' && profiles !== null) return profiles as Record<string, Profile>;
  } catch {
    // Reported below.
  }
  throw new UserError(`${file} is damaged: delete it and run \`ledger login\` again.`);
}

const writeProfiles = (file: string, profiles: Record<string, Profile>) =>
  writeKept(file, `${JSON.stringify(profiles, null, 2)}\n`);

/** Writes a file of the user's configuration, readable by the user only. @throws UserError */
export async function writeKept(file: string, text: string, inputs: Inputs = []): Promise<void> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UserError(`${file} cannot be written: ${(error as Error).message}.`);
  }
  await writeWhole(file, [text], { inputs, mode: 0o600 });
}

/** The path of a file with data of one profile, beside the profiles. @throws UserError */
export const profileFile = (options: ConnectionOptions, folder: string, extension: string): string =>
  join(dirname(profilesFile(options)), folder, `${profileName(options)}.${extension}`);

/** Stores the key and the address of a login. @returns the path of the file */
export async function saveProfile(options: ConnectionOptions, profile: Profile): Promise<string> {
  const file = profilesFile(options);
  await writeProfiles(file, { ...readProfiles(file), [profileName(options)]: profile });
  return file;
}

/** @returns whether there was such a profile */
export async function removeProfile(options: ConnectionOptions): Promise<boolean> {
  const file = profilesFile(options);
  const { [profileName(options)]: removed, ...others } = readProfiles(file);
  if (removed) await writeProfiles(file, others);
  return removed !== undefined;
}

/**
 * The URL for a login: the option, LEDGER_URL, the profile's, or the local service.
 * @throws UserError
 */
export function urlForLogin(options: ConnectionOptions, option: string | undefined): string {
  const { env } = options.io;
  const stored = readProfiles(profilesFile(options))[profileName(options)];
  return requireEncryption(serviceUrl(option ?? (env.LEDGER_URL || stored?.url) ?? DEFAULT_URL), options);
}

/** @throws UserError for an invalid URL, or one with a password */
function serviceUrl(url: string): string {
  const fault = urlFaultOf(url);
  if (fault === 'malformed') {
    throw new UserError(
      `${JSON.stringify(url)} is not the URL of a service: use one such as ${DEFAULT_URL}.`,
    );
  }
  if (fault) throw new UserError('The URL of the service must not contain a user name or a password.');
  const { origin, pathname } = new URL(url);
  // As `bun run start` prints it.
  return origin + pathname.replace(/\/(api\/v1\/?)?$/, '');
}

/** @throws UserError when others could read the key on its way */
function requireEncryption(url: string, options: ConnectionOptions): string {
  const exposure = exposureOf(url, options, '--insecure');
  if (exposure !== undefined) throw new UserError(exposure, 'insecure_url');
  return url;
}

/** Never shows the key. */
export function requireKey(apiKey: string): void {
  if (isKey(apiKey)) return;
  throw new UserError('The API key is malformed: it must be one word of ASCII characters.', 'no_key');
}

/**
 * A stored key is sent to the URL of its login only. A key of the environment is sent to the URL of the environment.
 * @throws UserError when there is no key, or none for this URL
 */
export function currentProfile(options: ConnectionOptions): Profile & EncryptionOptions {
  const { env } = options.io;
  const name = profileName(options);
  const stored = readProfiles(profilesFile(options))[name];
  const login = name === 'default' ? 'ledger login' : `ledger login --profile ${name}`;
  const apiKey = env.LEDGER_API_KEY || stored?.apiKey;
  if (!apiKey) {
    throw new UserError(`There is no API key: run \`${login}\`, or set LEDGER_API_KEY.`, 'no_key');
  }
  requireKey(apiKey);
  const url = serviceUrl((env.LEDGER_URL || stored?.url) ?? DEFAULT_URL);
  if (!env.LEDGER_API_KEY && stored && url !== serviceUrl(stored.url)) {
    throw new UserError(
      `LEDGER_URL is ${url}, and the stored key is for ${stored.url} only: unset LEDGER_URL, or log in there with \`ledger login --profile NAME\`, or set LEDGER_API_KEY too.`,
      'other_url',
    );
  }
  return { url: requireEncryption(url, options), apiKey, insecure: options.insecure };
}

/** The stored login to use. Files are named after it. @throws UserError for a name that no file may have */
export function profileName({ profile, io: { env } }: ConnectionOptions): string {
  const name = profile ?? (env.LEDGER_PROFILE || 'default');
  if (/^[\w.-]+$/.test(name)) return name;
  throw new UserError(
    `The name of a profile has letters, digits, dots, - and _ only, not ${JSON.stringify(name)}.`,
  );
}

/** The key of the environment, for a login without a prompt. */
export const keyFromEnvironment = ({ io: { env } }: ConnectionOptions): string | undefined =>
  env.LEDGER_API_KEY || undefined;

/**
 * The service and the keys of `ledger conformance`. Ignores stored logins, because the run writes entries.
 * @throws UserError
 */
export function conformanceTarget(url: string, options: ConnectionOptions) {
  const { env } = options.io;
  const keys = {
    first: env.LEDGER_API_KEY || '',
    second: env.LEDGER_SECOND_API_KEY || '',
    /** The key of an account without API access. */
    free: env.LEDGER_FREE_API_KEY || undefined,
    readOnly: env.LEDGER_READ_ONLY_API_KEY || undefined,
  };
  if (!keys.first || !keys.second) {
    const message = 'Set LEDGER_API_KEY and LEDGER_SECOND_API_KEY to the keys of two accounts.';
    throw new UserError(message, 'no_key');
  }
  for (const key of Object.values(keys)) if (key !== undefined) requireKey(key);
  return { url: requireEncryption(serviceUrl(url), options), keys };
}
