/** The key on its way to the service: no proxy can read it, and it goes without encryption to this machine only. The same in each client. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestAccount } from '../fixtures/client.ts';
import { PYTHON_ENV } from '../fixtures/python.ts';
import { system } from '../fixtures/system.ts';
import { runProcess } from './cli/command.ts';
import { startAssistant } from './mcp/assistant.ts';
import { requireProgram } from './programs.ts';
import { startProxy } from './proxy.ts';

setDefaultTimeout(60_000);

const CLIENTS = join(import.meta.dir, '../../clients');
const folder = mkdtempSync(join(tmpdir(), 'ledger-encryption-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A proxy of the environment: each request that it gets, with the key that it could read. */
const seen: string[] = [];
const proxy = createServer(({ url, headers }, response) => {
  seen.push(`${url} ${headers.authorization}`);
  response.end('{"accountId":"of the proxy","sources":[]}');
}).on('connect', ({ url, headers }, socket) => {
  seen.push(`CONNECT ${url} ${headers.authorization}`);
  socket.end(
    `HTTP/1.1 ${url?.endsWith(':7') ? '407 Proxy Authentication Required' : '502 Bad Gateway'}\r\n\r\n`,
  );
});
afterAll(() => proxy.close());
const proxyOf = (...names: string[]) => {
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return Object.fromEntries(names.map((name) => [name, url]));
};
const ALL = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];

const TYPESCRIPT = `
const { LEDGER_URL: url, LEDGER_API_KEY: apiKey, INSECURE } = process.env;
try {
  const ledger = new Ledger({ url, apiKey, insecure: INSECURE === 'yes', retryTimeoutMs: 0 });
  console.log((await ledger.sources()).length, 'sources');
} catch ({ message }) { console.log(message); }`;
const PYTHON = `
import os
from bookkeeping_ledger import Ledger
try:
    ledger = Ledger(os.environ["LEDGER_URL"], os.environ["LEDGER_API_KEY"], insecure=os.environ["INSECURE"] == "yes", retry_timeout_s=0)
    print(len(ledger.sources()), "sources")
except Exception as error:
    print(error)`;

let key = '';
type Env = Record<string, string>;
const insecure = ({ INSECURE }: Env) => (INSECURE === 'yes' ? ['--insecure'] : []);
const program = (command: string[]) => async (env: Env) =>
  (await runProcess([], { command, env: { ...PYTHON_ENV, ...env } })).out;
const command = (start: string[]) => async (env: Env) => {
  const { out, err } = await runProcess(['sources', '--json', ...insecure(env)], { command: start, env });
  return err || `${JSON.parse(out).sources.length} sources`;
};
/** A server that does not start says why. */
const assistants = (start: [string, ...string[]]) => async (env: Env) => {
  const refused = await runProcess(insecure(env), { command: start, env });
  if (refused.err !== '') return refused.err;
  const all = { env, command: [...start, ...insecure(env)] as [string] };
  await using assistant = await startAssistant(key, all);
  return `${(await assistant.do('list_sources')).sources.count} sources`;
};

const BUILT = Object.fromEntries(['index', 'cli', 'mcp'].map((name) => [name, join(folder, `${name}.mjs`)]));
const library = (file: string) => `import { Ledger } from '${file}';${TYPESCRIPT}`;
const { index = '', cli = '', mcp = '' } = BUILT;
const [BUN, NODE] = [[process.execPath, '--no-env-file'] as const, ['node', '--input-type=module', '-e']];
const WAYS: Record<string, (env: Env) => Promise<string>> = {
  'the library under Bun': program([...BUN, '-e', library(join(CLIENTS, 'typescript/index.ts'))]),
  'the library under Node': program([...NODE, library(index)]),
  Python: program(['python3', '-c', PYTHON]),
  'the command under Bun': command([...BUN, join(CLIENTS, 'cli/main.ts')]),
  'the command under Node': command(['node', cli]),
  'the server for assistants under Bun': assistants([...BUN, join(CLIENTS, 'mcp/main.ts')]),
  'the server for assistants under Node': assistants(['node', mcp]),
};

beforeAll(async () => {
  key = (await TestAccount.create()).key;
  await Promise.all(['node', 'python3', 'curl', 'jq'].map(requireProgram));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const entrypoints = { index: 'typescript/index.ts', cli: 'cli/main.ts', mcp: 'mcp/main.ts' };
  for (const [name, entry] of Object.entries(entrypoints)) {
    const all = { outdir: folder, naming: `${name}.mjs`, target: 'node', format: 'esm' } as const;
    await Bun.build({ ...all, entrypoints: [join(CLIENTS, entry)] });
  }
});

/** Runs a client. @returns what it says, and what the proxy has seen */
async function ask(way: string, url: string, env: Env = {}): Promise<[said: string | undefined, string[]]> {
  seen.length = 0;
  const own = { LEDGER_URL: url, LEDGER_API_KEY: key, INSECURE: 'no', ...env };
  return [(await WAYS[way]?.(own))?.trim(), [...seen]];
}

describe.each(Object.keys(WAYS))('%s', (way) => {
  test('reaches this machine without a proxy, or sends nothing, whatever the environment names', async () => {
    const [said, requests] = await ask(way, system.url, { ...proxyOf(...ALL), NODE_USE_ENV_PROXY: '1' });
    // Node has the variable since 22.21.
    const answer = way.includes('Node') ? /^3 sources$|NODE_USE_ENV_PROXY is set/ : /^3 sources$/;
    expect([said, requests]).toEqual([expect.stringMatching(answer), []]);
  });

  test('sends nothing without encryption to another host, unless that is allowed; then without a proxy', async () => {
    await using service = await startProxy(() => ({ status: 200, body: '{"sources":[]}' }));
    const url = service.url.replace('127.0.0.1', '0.0.0.0');
    const [said, requests] = await ask(way, url, proxyOf(...ALL));
    expect([said, requests, service.requests]).toEqual([expect.stringContaining('is not encrypted'), [], []]);
    expect(await ask(way, url, { ...proxyOf(...ALL), INSECURE: 'yes' })).toEqual(['0 sources', []]);
    expect(service.requests).toMatchObject([{ authorization: `Bearer ${key}` }]);
  });
});

const KIT = `import { exchange } from '${join(CLIENTS, 'conformance/exchange.ts')}';
const target = { url: process.env.LEDGER_URL, key: 'x', timeoutMs: 5000, clock: { now: Date.now } };
console.log((await exchange({}, target, '/api/v1/sources')).status);`;

test.each([
  ['the conformance kit', [...BUN, '-e', KIT], /^401$/],
  ['the recipe for bash', ['bash', join(CLIENTS, 'recipes/bash/ledger.sh'), 'sources'], /uk-property/],
])('%s reaches this machine without a proxy', async (way, start, answer) => {
  WAYS[way] = program(start);
  expect(await ask(way, system.url, proxyOf(...ALL))).toEqual([expect.stringMatching(answer), []]);
});

test.each(['the library under Bun', 'Python'])(
  '%s takes HTTPS_PROXY and NO_PROXY for https, and shows such a proxy the host alone',
  async (way) => {
    const requests = async (env: Env) => (await ask(way, 'https://127.0.0.1:1', env))[1];
    expect(await requests(proxyOf('HTTP_PROXY', 'http_proxy'))).toEqual([]);
    expect(await requests({ ...proxyOf('HTTPS_PROXY'), NO_PROXY: '127.0.0.1' })).toEqual([]);
    expect(await requests(proxyOf('HTTPS_PROXY'))).toEqual(['CONNECT 127.0.0.1:1 undefined']);
  },
);

test.each(['the library under Bun', 'Python'])('%s reports a proxy that asks for a password', async (way) => {
  const [said] = await ask(way, 'https://127.0.0.1:7', proxyOf('HTTPS_PROXY'));
  expect(said).toContain('(status 407)');
  expect(said).toContain('a proxy on the way asks for a user name and a password');
});
