/** The gateway beside 1,000 connections whose clients read badly: its memory, and the latency of /me for callers with a key. Linux only. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, type Keyring, newAccounts, rotation, storeAccounts } from './accounts.ts';
import { serviceBooks } from './books.ts';
import type { Sample } from './closed-loop.ts';
import { httpConnection } from './http-load.ts';
import { residentMegabytes } from './memory.ts';
import { openLoopSide } from './open-loop.ts';
import { meRequest } from './requests.ts';
import { type Stack, startStack } from './stack.ts';
import { fillBooks } from './stored.ts';

const CONNECTIONS = 1_000;
const WORDS = { nothing: 'not at all', slowly: 'a byte a second', fast: 'as fast as they can' };
const MODES = ['nothing', 'slowly', 'fast'] as const;
const PAGES = 'a page of 200';
const ACCOUNTS = 250;
const PAGE = 200;
const ME_CLIENTS = 8;
const ME_PER_SECOND = 50;
const RAMP_MS = 3_000;
const SECONDS = 4;
const SAMPLE_EVERY_MS = 100;

export interface Unread {
  name: string;
  /** Whether those who read badly have keys. */
  hasKeys: boolean;
  /** MiB at most. */
  gateway: number;
  /** ms. */
  p99: number;
  /** Responses to /me, by status, that were not 200. */
  failures: Record<string, number>;
}

/** One row without such clients, then one for each kind of path and each way to read. Empty where memory cannot be measured. */
export async function unreadResponses(): Promise<Unread[]> {
  if (process.platform !== 'linux') return [];
  const stack = await startStack();
  const directory = mkdtempSync(join(tmpdir(), 'ledger-readers-'));
  try {
    const accounts = newAccounts(2 * ACCOUNTS);
    const [readers, callers] = [accounts.slice(0, ACCOUNTS), accounts.slice(ACCOUNTS)];
    await storeAccounts(stack.sql, accounts);
    await fillBooks(stack.sql, readers, PAGE);
    const rows = [await measured(stack, 'none of which is open', false, callers)];
    const kinds = {
      'the script of the docs page': [await publicPath(stack, '/api/v1/docs/scalar.js')],
      'every public path': await publicRequests(stack),
      [PAGES]: readers.map(([{ key, sourceId }]) =>
        getRequest(`/api/v1/sources/${sourceId}/transactions?limit=${PAGE}`, key),
      ),
    };
    for (const [kind, requests] of Object.entries(kinds)) {
      const file = join(directory, `${kind}.jsonl`);
      writeFileSync(file, requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
      for (const mode of MODES) {
        const clients = { name: `${kind}, read ${WORDS[mode]}`, hasKeys: kind === PAGES };
        rows.push(await besideReaders(stack, clients, callers, mode, file));
      }
    }
    return rows;
  } finally {
    rmSync(directory, { recursive: true });
    await stack.stop();
  }
}

function getRequest(path: string, key?: string): string {
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  return `GET ${path} HTTP/1.1\r\nHost: ledger\r\n${authorization}\r\n`;
}

async function publicPath({ system }: Stack, path: string): Promise<string> {
  const { status } = await fetch(system.url + path);
  if (status !== 200) throw new Error(`${path} has status ${status}`);
  return getRequest(path);
}

async function publicRequests(stack: Stack): Promise<string[]> {
  const page = await (await fetch(`${stack.system.url}/import`)).text();
  const assets = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
  const paths = ['/api/v1/docs', '/api/v1/docs/scalar.js', '/api/v1/openapi.json', '/import', ...assets];
  const served = await Promise.all([...paths, '/healthz', '/readyz'].map((path) => publicPath(stack, path)));
  return [...served, getRequest('/api/v1/me'), getRequest('/nowhere')];
}

async function besideReaders(
  stack: Stack,
  { name, hasKeys }: Pick<Unread, 'name' | 'hasKeys'>,
  callers: readonly Keyring[],
  mode: string,
  file: string,
): Promise<Unread> {
  const { hostname, port } = new URL(stack.system.url);
  const command = ['python3', join(import.meta.dir, 'readers.py'), hostname, port, String(CONNECTIONS)];
  const readers = Bun.spawn([...command, mode, file], { stdout: 'pipe', stderr: 'inherit' });
  try {
    await readers.stdout.getReader().read();
    return await measured(stack, name, hasKeys, callers);
  } finally {
    readers.kill();
    await readers.exited;
    await stack.flushRedis();
    // Longer than the kernel needs to report a thousand connections as closed.
    await Bun.sleep(RAMP_MS);
  }
}

async function measured(
  stack: Stack,
  name: string,
  hasKeys: boolean,
  callers: readonly Keyring[],
): Promise<Unread> {
  const pid = stack.pids.get('gateway') ?? 0;
  let gateway = 0;
  const sampler = setInterval(() => {
    gateway = Math.max(gateway, residentMegabytes([pid]));
  }, SAMPLE_EVERY_MS);
  await Bun.sleep(RAMP_MS);
  const { latencyMs, failures } = await loadMe(stack, rotation(callers));
  clearInterval(sampler);
  const row = { name, hasKeys, gateway, p99: latencyMs.p99, failures };
  console.log(unreadLine(row));
  return row;
}

async function loadMe(stack: Stack, next: () => Account): Promise<Sample> {
  const { url, accountOf } = serviceBooks(stack);
  const side = openLoopSide(
    '/me',
    () => httpConnection(url),
    () => meRequest(accountOf(next())),
    ME_PER_SECOND,
  );
  await side.begin(ME_CLIENTS);
  side.load(SECONDS);
  const sample = await side.run(SECONDS);
  side.end();
  return sample;
}

function unreadLine({ name, gateway, p99, failures }: Unread): string {
  const failed = Object.entries(failures).map(([result, count]) => `, ${count} × ${result}`);
  return `1,000 connections, ${name}: gateway at most ${gateway.toFixed(0)} MiB, /me p99 ${p99.toFixed(1)} ms${failed.join('')}`;
}
