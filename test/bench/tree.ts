/** The whole service of a checkout, started by its own `bun run start` and filled through its own Admin API. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnChild } from '../../local/processes/child.ts';
import { processInfo } from '../../local/processes/process-info.ts';
import { closedLoop } from './closed-loop.ts';
import type { Request } from './connection.ts';
import { SOURCE_TYPE } from './entries.ts';
import { httpConnection } from './http-load.ts';
import { allProcesses, PARENT } from './process-tree.ts';
import type { Caller } from './requests.ts';

export interface Tree {
  name: string;
  url: string;
  adminAddress: string;
  /** Of its servers, by `name: component`. */
  pids: ReadonlyMap<string, number>;
  /** Sends each request once. @throws Error when a response is not the expected one */
  send(requests: readonly Request[]): Promise<void>;
  stop(): Promise<void>;
}

const READY_MS_MAX = 120_000;
const CLIENTS = 16;

/** Part of a component's command line, by its name. */
const COMPONENTS = {
  gateway: 'gateway/main.ts',
  worker: 'ledger-worker/main.ts',
  Postgres: 'postgres',
  Redis: 'redis-server',
};

export async function startTree(name: string, directory: string): Promise<Tree> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ledger-bench-'));
  const readyFile = join(dataDir, 'ready.json');
  const child = spawnChild({
    name: `the service of ${directory}`,
    command: [
      ...[process.execPath, join(directory, 'local/start.ts'), '--port', '0'],
      ...['--data', dataDir, '--ready-file', readyFile],
    ],
    cwd: directory,
    env: { ...process.env, DATABASE_URL: undefined, REDIS_URL: undefined },
  });
  const stop = async () => {
    await child.stop([['SIGTERM', 60_000]]);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const isReady = (line: string) => line.includes('Ctrl-C stops everything') || undefined;
    await child.line(isReady, { timeoutMs: READY_MS_MAX });
    const { url, adminAddress } = JSON.parse(readFileSync(readyFile, 'utf8'));
    return {
      name,
      url,
      adminAddress,
      pids: serversOf(name, child.pid),
      send: (all) => sendAll(url, all),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function serversOf(name: string, parent: number): Map<string, number> {
  const pids = new Map<string, number>();
  for (const [pid, fields] of allProcesses()) {
    if (Number(fields[PARENT]) !== parent) continue;
    const command = processInfo(pid)?.argv.join(' ') ?? '';
    const found = Object.entries(COMPONENTS).find(([, part]) => command.includes(part));
    if (found !== undefined) pids.set(`${name}: ${found[0]}`, pid);
  }
  return pids;
}

async function sendAll(url: string, requests: readonly Request[]): Promise<void> {
  const connections = await Promise.all(Array.from({ length: CLIENTS }, () => httpConnection(url)));
  const { failures } = await closedLoop(connections, requests, Number.POSITIVE_INFINITY);
  for (const connection of connections) connection.close();
  for (const [result, count] of Object.entries(failures))
    throw new Error(`${count} responses of ${url}: ${result}`);
}

/** What this needs of a checkout's own `createAdminClient`. */
interface AdminClient {
  createAccount(request: { plan: string }): Promise<{ accountId: string }>;
  createKey(request: { accountId: string }): Promise<{ key: string }>;
  createSource(request: Record<string, unknown>): Promise<{ id: string }>;
  close(): void;
}

/** Creates `count` accounts with one source and `keys` keys each. */
export async function createAccounts(
  { adminAddress }: Tree,
  directory: string,
  count: number,
  keys: number,
): Promise<Caller[][]> {
  const { createAdminClient } = await import(join(directory, 'proto/client.ts'));
  const admin: AdminClient = createAdminClient(adminAddress);
  const accounts: Caller[][] = [];
  let left = count;
  const create = async () => {
    while (left-- > 0) {
      const { accountId } = await admin.createAccount({ plan: 'pro' });
      const source = { type: SOURCE_TYPE, name: 'Flat 2, 14 Mill Lane', role: 'owner', sharePercent: 100 };
      const { id: sourceId } = await admin.createSource({ accountId, ...source });
      const minted = Array.from({ length: keys }, () => admin.createKey({ accountId }));
      accounts.push((await Promise.all(minted)).map(({ key }) => ({ key, sourceId })));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, create));
  admin.close();
  return accounts;
}
