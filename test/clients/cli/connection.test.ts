/** Where the command sends an API key: to the service of its login, or where the caller's own environment says; encrypted, unless it stays on the machine. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { TestAccount } from '../../fixtures/client.ts';
import { system } from '../../fixtures/system.ts';
import { type SeenRequest, startProxy } from '../proxy.ts';
import { directory, MAIN, runLedger } from './command.ts';

setDefaultTimeout(60_000);

const ROOT = join(import.meta.dir, '../../..');
const account = await TestAccount.create();
const newFolder = () => mkdtempSync(join(directory, 'connection-'));
const STATEMENT = join(newFolder(), 'st.csv');
writeFileSync(STATEMENT, 'Date,Description,Amount\n2026-04-06,Rent,950.00\n');

const COMMANDS = [
  ['whoami'],
  ['sources'],
  ['categories'],
  ['push', STATEMENT, '-s', 'uk-property', '--yes'],
  ['pull', '-s', 'uk-property'],
  ['reconcile', STATEMENT, '-s', 'uk-property'],
  ['summary', '-s', 'uk-property'],
];

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
  test.each(COMMANDS)('is sent to the URL of its login only: %s', async (...args) => {
    const { env } = await loggedIn();
    await using other = await startProxy();
    const refused = await runLedger([...args, '--json'], { env: { ...env, LEDGER_URL: other.url } });
    expect([refused.exitCode, refused.json().error.code]).toEqual([2, 'other_url']);
    for (const part of [other.url, system.url, 'LEDGER_API_KEY', 'ledger login'])
      expect(refused.json().error.message).toContain(part);
    expect(other.requests).toEqual([]);
    expect((await runLedger(args, { env })).exitCode).toBe(0);
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
  await using other = await startProxy(() => ({ status: 200, body: '{}' }));
  const own = { ...env, LEDGER_URL: other.url, LEDGER_API_KEY: 'ledger_live_other' };
  expect((await runLedger(['whoami', '--json'], { env: own })).exitCode).toBe(0);
  expect(keysSeenBy(other)).toEqual(['Bearer ledger_live_other']);
});

describe('a URL without encryption', () => {
  // The proxy sees what would leave the machine.
  const away = async (host: string, args: string[], more: Record<string, string> = {}) => {
    await using proxy = await startProxy(() => ({ status: 200, body: '{"sources":[]}' }));
    const env = { LEDGER_URL: `http://${host}`, LEDGER_API_KEY: account.key, HTTP_PROXY: proxy.url, ...more };
    const result = await runLedger([...args, '--json'], { env });
    return { ...result, keys: keysSeenBy(proxy) };
  };

  test.each([['login'], ...COMMANDS])('needs --insecure: %s', async (...args) => {
    const XDG_CONFIG_HOME = newFolder();
    const refused = await away('ledger.example', args, { XDG_CONFIG_HOME });
    expect([refused.exitCode, refused.json().error.code, refused.keys]).toEqual([2, 'insecure_url', []]);
    expect(refused.json().error.message).toContain('--insecure');
    const allowed = await away('ledger.example', [...args, '--insecure'], { XDG_CONFIG_HOME });
    expect(allowed.keys[0]).toBe(`Bearer ${account.key}`);
  });

  test('that is stored needs it again', async () => {
    const XDG_CONFIG_HOME = newFolder();
    await away('ledger.example', ['login', '--insecure'], { XDG_CONFIG_HOME });
    const stored = { XDG_CONFIG_HOME, LEDGER_URL: '', LEDGER_API_KEY: '' };
    const refused = await away('', ['sources'], stored);
    expect([refused.json().error.code, refused.keys]).toEqual(['insecure_url', []]);
    expect((await away('', ['sources', '--insecure'], stored)).keys).toEqual([`Bearer ${account.key}`]);
  });

  test.each(['127.0.0.1.example', 'localhost.example', 'my-localhost', '128.0.0.1', '0.0.0.0', '[::2]'])(
    'to %s is refused',
    async (host) => {
      const { json, keys } = await away(host, ['whoami']);
      expect([json().error.code, keys]).toEqual(['insecure_url', []]);
    },
  );

  test.each(['localhost', '127.0.0.1', '127.1', '[::1]'])('to %s stays on the machine', async (host) => {
    // The next check is for a key.
    const result = await runLedger(['login', '--json'], { env: { LEDGER_URL: `http://${host}:1` } });
    expect(result.json().error.code).toBe('no_key');
  });
});

test.each(['HTTP_PROXY', 'http_proxy'])(
  'a request to this machine does not go through the %s',
  async (name) => {
    await using proxy = await startProxy();
    const env = { LEDGER_API_KEY: account.key, [name]: proxy.url };
    const { json } = await runLedger(['whoami', '--json'], { env });
    expect([json().accountId, proxy.requests]).toEqual([account.accountId, []]);
  },
);

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

  test.each(['development', 'production'])('with `bun run ledger`, in %s', async (NODE_ENV) => {
    const { env } = await loggedIn();
    await using theirs = await startProxy();
    const checkout = hostileFolder(newFolder(), ENV_FILES, theirs.url);
    for (const name of ['package.json', 'bunfig.toml']) cpSync(join(ROOT, name), join(checkout, name));
    for (const name of ['clients', 'platform', 'node_modules'])
      symlinkSync(join(ROOT, name), join(checkout, name));
    const unpacked = hostileFolder(join(checkout, 'unpacked'), ENV_FILES, theirs.url);
    preload(unpacked);
    const { LEDGER_URL: _, ...clean } = env;
    for (const cwd of [checkout, unpacked]) {
      const child = Bun.spawn([process.execPath, 'run', '--silent', 'ledger', 'whoami', '--json'], {
        cwd,
        env: { PATH: process.env.PATH, HOME: directory, NODE_ENV, ...clean },
        stdout: 'pipe',
        stderr: 'pipe',
      });
      expect([await child.stderr.text(), await child.exited]).toEqual(['', 0]);
      expect(JSON.parse(await child.stdout.text()).accountId).toBe(account.accountId);
    }
    expect(theirs.requests).toEqual([]);
  });

  test.each(ENV_FILES)('without it, Bun has read %s: nothing is sent', async (name) => {
    const { env } = await loggedIn();
    await using theirs = await startProxy();
    const cwd = hostileFolder(newFolder(), [name], theirs.url);
    for (const args of COMMANDS) {
      const refused = await runLedger([...args, '--json'], { env, cwd });
      expect([refused.exitCode, refused.json().error.code]).toEqual([2, 'env_file']);
      expect(refused.json().error.message).toContain('bun run ledger');
    }
    expect(theirs.requests).toEqual([]);
    const command = [process.execPath, '--no-env-file', MAIN];
    expect((await runLedger(['whoami'], { env, cwd, command })).exitCode).toBe(0);
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

  test('may be a link', async () => {
    const { env, file } = await loggedIn();
    renameSync(file, `${file}.real`);
    symlinkSync(`${file}.real`, file);
    expect((await store(env, 'work')).exitCode).toBe(0);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(Object.keys(JSON.parse(readFileSync(`${file}.real`, 'utf8')))).toEqual(['default', 'work']);
  });

  test('that cannot be read is not replaced', async () => {
    const { env, file } = await loggedIn();
    renameSync(file, `${file}.real`);
    mkdirSync(file);
    const result = await store(env, 'work');
    expect([result.exitCode, result.err]).toEqual([2, expect.stringContaining('cannot be read')]);
  });
});
