/** Where the command sends an API key: to the service of its login, or where the caller's own environment says; encrypted, unless it stays on the machine. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { system } from '../../fixtures/system.ts';
import { type SeenRequest, startProxy } from '../proxy.ts';
import { ACCOUNT, json } from '../python/rules.ts';
import {
  askingCommands,
  type CommandOptions,
  directory,
  MAIN,
  newUser,
  runLedger,
  runProcess,
  writeFile,
} from './command.ts';

setDefaultTimeout(60_000);

const ROOT = join(import.meta.dir, '../../..');
const { account, run } = await newUser();
const newFolder = () => mkdtempSync(join(directory, 'connection-'));
const STATEMENT = writeFile('connection.csv', 'Date,Description,Money in\n2026-04-06,Rent,950.00\n');

const COMMANDS = askingCommands(STATEMENT);
/** Runs all of them, and expects this error of each. @returns the messages */
async function expectRefused(code: string, commands: string[][], options: CommandOptions): Promise<string[]> {
  const results = await Promise.all(commands.map((args) => run([...args, '--json'], options)));
  for (const { exitCode, json } of results) expect([exitCode, json().error.code]).toEqual([2, code]);
  return results.map(({ json }) => json().error.message);
}

/** A configuration of its own, in which the key of the account is stored. */
async function loggedIn(url = system.url) {
  const env = { XDG_CONFIG_HOME: newFolder(), LEDGER_URL: '' };
  const login = await runLedger(['login', '--url', url], { env, input: account.key });
  expect([login.exitCode, login.err]).toEqual([0, '']);
  const file = join(env.XDG_CONFIG_HOME, 'bookkeeping-ledger/profiles.json');
  return { env, file };
}

const keysSeenBy = ({ requests }: { requests: SeenRequest[] }) =>
  requests.map(({ authorization }) => authorization);

describe('a stored key', () => {
  test('is sent to the URL of its login only, by each command', async () => {
    const { env } = await loggedIn();
    await using other = await startProxy();
    const options = { env: { ...env, LEDGER_API_KEY: '', LEDGER_URL: other.url } };
    for (const message of await expectRefused('other_url', COMMANDS, options)) {
      for (const part of [other.url, system.url, 'LEDGER_API_KEY', 'ledger login'])
        expect(message).toContain(part);
    }
    expect(other.requests).toEqual([]);
  });

  test('goes to its URL also when LEDGER_URL writes it another way', async () => {
    const { env } = await loggedIn();
    for (const url of [system.url, `${system.url}/`, `${system.url}/api/v1/`])
      expect((await runLedger(['whoami'], { env: { ...env, LEDGER_URL: url } })).exitCode).toBe(0);
  });

  test('of one profile is not used for another one', async () => {
    const { env } = await loggedIn();
    const result = await runLedger(['whoami', '--profile', 'work', '--json'], { env });
    expect([result.exitCode, result.json().error.code]).toEqual([2, 'no_key']);
  });
});

test('a key of the environment goes where the environment says, in the place of the stored one', async () => {
  const { env } = await loggedIn();
  await using other = await startProxy(() => json(200, ACCOUNT));
  const own = { ...env, LEDGER_URL: other.url, LEDGER_API_KEY: 'ledger_live_other' };
  expect((await runLedger(['whoami', '--json'], { env: own })).exitCode).toBe(0);
  expect(keysSeenBy(other)).toEqual(['Bearer ledger_live_other']);
});

test('a key is not stored if another service accepts it', async () => {
  await using other = await startProxy(() => json(200, { status: 'ok' }));
  const env = { XDG_CONFIG_HOME: newFolder(), LEDGER_URL: '' };
  const login = await runLedger(['login', '--url', other.url], { env, input: account.key });
  expect([login.exitCode, login.out]).toEqual([1, '']);
  expect(login.err).toContain('/accountId is missing or wrong');
  expect(readdirSync(env.XDG_CONFIG_HOME)).toEqual([]);
});

describe('a URL without encryption', () => {
  test('needs --insecure, for each command and each host but those of this machine', async () => {
    const refused = (host: string, commands: string[][]) =>
      expectRefused('insecure_url', commands, { env: { LEDGER_URL: `http://${host}` } });
    for (const message of await refused('ledger.example', [['login'], ...COMMANDS]))
      expect(message).toContain('--insecure');
    for (const host of ['127.0.0.1.example', 'localhost.example', 'my-localhost'])
      await refused(host, [['whoami']]);
    for (const host of ['128.0.0.1', '0.0.0.0', '[::2]']) await refused(host, [['whoami']]);
  });

  test('that is stored needs it again', async () => {
    await using other = await startProxy(() => json(200, { ...ACCOUNT, sources: [] }));
    const env = { XDG_CONFIG_HOME: newFolder() };
    const key = { LEDGER_URL: other.url.replace('127.0.0.1', '0.0.0.0'), LEDGER_API_KEY: account.key };
    await runLedger(['login', '--insecure'], { env: { ...env, ...key } });
    const stored = { ...env, LEDGER_URL: '', LEDGER_API_KEY: '' };
    await expectRefused('insecure_url', [['sources']], { env: stored });
    expect(keysSeenBy(other)).toEqual([`Bearer ${account.key}`]);
    expect((await runLedger(['sources', '--insecure'], { env: stored })).exitCode).toBe(0);
    expect(keysSeenBy(other)).toEqual(Array(2).fill(`Bearer ${account.key}`));
  });

  test.each(['localhost', '127.0.0.1', '127.1', '[::1]'])('to %s stays on the machine', async (host) => {
    // The next check is for a key.
    const result = await runLedger(['login', '--json'], { env: { LEDGER_URL: `http://${host}:1` } });
    expect(result.json().error.code).toBe('no_key');
  });
});

describe('files in the current folder choose nothing', () => {
  const ENV_FILES = ['.env', '.env.local', '.env.development', '.env.production', '.env.production.local'];
  /** A folder from an archive of somebody else. */
  const hostileFolder = (folder: string, names: string[], url: string) => {
    mkdirSync(folder, { recursive: true });
    const key = 'ledger_live_theirs';
    for (const name of names) writeFileSync(join(folder, name), `LEDGER_URL=${url}\nLEDGER_API_KEY=${key}\n`);
    return folder;
  };
  const preload = (folder: string) => {
    writeFileSync(join(folder, 'preload.ts'), 'process.env.LEDGER_URL = "http://127.0.0.1:1";');
    writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./preload.ts"]\n');
  };

  test('with `bun run ledger`', async () => {
    const { env } = await loggedIn();
    await using theirs = await startProxy();
    const checkout = hostileFolder(newFolder(), ENV_FILES, theirs.url);
    for (const name of ['package.json', 'bunfig.toml']) cpSync(join(ROOT, name), join(checkout, name));
    for (const name of ['clients', 'platform', 'node_modules'])
      symlinkSync(join(ROOT, name), join(checkout, name));
    const unpacked = hostileFolder(join(checkout, 'unpacked'), ENV_FILES, theirs.url);
    preload(unpacked);
    const command = [process.execPath, 'run', '--silent', 'ledger'];
    for (const cwd of [checkout, unpacked]) {
      // Without LEDGER_URL, which an .env file would not replace.
      const own = { ...env, LEDGER_URL: undefined };
      const result = await runProcess(['whoami', '--json'], { env: own, cwd, command });
      expect([result.err, result.exitCode, result.json().accountId]).toEqual(['', 0, account.accountId]);
    }
    expect(theirs.requests).toEqual([]);
  });

  test('without it, Bun has read a .env file: each command stops, and sends nothing', async () => {
    const { env } = await loggedIn();
    await using theirs = await startProxy();
    for (const name of ENV_FILES) {
      const cwd = hostileFolder(newFolder(), [name], theirs.url);
      const commands = name === '.env' ? COMMANDS : [['whoami']];
      for (const message of await expectRefused('env_file', commands, { env, cwd }))
        expect(message).toContain('bun run ledger');
    }
    const cwd = hostileFolder(newFolder(), ['.env'], theirs.url);
    const started = (...options: string[]) =>
      runProcess(['whoami'], { env, cwd, command: [process.execPath, ...options, MAIN] });
    expect((await started()).err).toContain('Bun has read .env');
    expect((await started('--no-env-file')).exitCode).toBe(0);
    expect(theirs.requests).toEqual([]);
  });

  test('other files, such as .env.example, are no reason', async () => {
    const { env } = await loggedIn();
    const cwd = hostileFolder(newFolder(), ['.env.example', 'x.env'], 'http://127.0.0.1:1');
    expect((await runLedger(['whoami'], { env, cwd })).exitCode).toBe(0);
  });
});

describe('the file of the stored keys', () => {
  const store = (env: Record<string, string>, profile: string) =>
    runLedger(['login', '--url', system.url, '--profile', profile], { env, input: account.key });

  test('is readable by the user only, whatever it was before, and keeps the other profiles', async () => {
    const { env, file } = await loggedIn();
    chmodSync(file, 0o644);
    expect((await store(env, 'work')).exitCode).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).toEqual(['default', 'work']);
    expect((await runLedger(['logout'], { env })).exitCode).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).toEqual(['work']);
  });

  test('has no profile by whose name no file can be called', async () => {
    const { env, file } = await loggedIn();
    const { exitCode, err } = await store(env, 'My books');
    expect([exitCode, err]).toEqual([2, expect.stringContaining('letters, digits, dots, - and _ only')]);
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).toEqual(['default']);
  });

  test('that cannot be read is not replaced', async () => {
    const { env, file } = await loggedIn();
    renameSync(file, `${file}.real`);
    mkdirSync(file);
    const result = await store(env, 'work');
    expect([result.exitCode, result.err]).toEqual([2, expect.stringContaining('cannot be read')]);
  });
});
