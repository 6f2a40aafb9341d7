/** What is measured: a service, its processes, and accounts that stay below their limits. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdminClient } from '../../proto/admin-client.ts';
import { ROOT } from '../fixtures/checkout.ts';
import { newAccount } from '../fixtures/new-account.ts';
import { newEntries } from './entries.ts';
import { sendOnce } from './load.ts';
import { meRequest, postRequest } from './requests.ts';

export interface Target {
  name: string;
  url: string;
  /** Of its servers, by component. */
  pids: ReadonlyMap<string, number>;
  accounts: Accounts;
  /** The packets that it has sent to a distant server. */
  packets?: () => number;
}

/** Each account by each of its keys. Readers have some entries. */
export interface Accounts {
  writers: Caller[][];
  readers: Caller[][];
}

export interface Caller {
  accountId: string;
  sourceId: string;
  key: string;
}

type AdminClient = ReturnType<typeof createAdminClient>;

const READERS = 500;
// Each key stays below its rate limit.
const READER_KEYS = 4;
const STORED = 200;
const CLIENTS = 16;

/**
 * Starts the whole service of a checkout.
 * @param kept a data directory that stays; absent: a new one, deleted at the stop @param databaseUrl absent: a database of its own
 * @param redisUrl absent: a Redis of its own
 */
export async function startService(
  name: string,
  {
    checkout = ROOT,
    kept = '',
    databaseUrl = '',
    redisUrl = '',
    postgresSettings = {} as Record<string, string>,
  } = {},
) {
  const load = (file: string) => import(join(checkout, file));
  const { startSystem }: typeof import('../../local/system.ts') = await load('local/system.ts');
  const dataDir = kept || mkdtempSync(join(tmpdir(), 'ledger-bench-'));
  const servers = { databaseUrl: databaseUrl || undefined, redisUrl: redisUrl || undefined };
  const system = await startSystem({ dataDir, postgresSettings, ...servers });
  const admin = createAdminClient(system.adminAddress);
  const { url, pids } = system;
  const stop = async () => {
    admin.close();
    await system.stop();
    if (kept === '') rmSync(dataDir, { recursive: true, force: true });
  };
  return {
    name,
    url,
    admin,
    databaseUrl: system.databaseUrl,
    redisUrl: system.redisUrl,
    dataDir,
    pids,
    stop,
  };
}

/** What stops at the end, the last first, also at a Ctrl-C. */
export function collectStops() {
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stopAll().then(() => process.exit(1)));
  }
  return { stops, stopAll };
}

/** Creates the accounts of a service through its Admin API. */
export async function fill(
  { url, admin }: { url: string; admin: AdminClient },
  writers: number,
): Promise<Accounts> {
  const accounts = {
    writers: await createAccounts(admin, writers, 1),
    readers: await createAccounts(admin, READERS, READER_KEYS),
  };
  const posts = accounts.readers.map(([caller]) => postRequest(caller as Caller, newEntries(STORED), '201'));
  await sendOnce(url, posts, CLIENTS);
  return accounts;
}

async function createAccounts(admin: AdminClient, count: number, keyCount: number): Promise<Caller[][]> {
  const accounts: Caller[][] = [];
  let left = count;
  const create = async () => {
    while (left-- > 0) {
      const { accountId, source: sourceId, keys } = await newAccount(admin, keyCount);
      accounts.push(keys.map((key) => ({ accountId, sourceId, key })));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, create));
  return accounts;
}

/** A gateway remembers keys for some minutes: with this it is as one that has run for a while. */
export async function rememberKeys({ url }: Target, accounts: Caller[][]): Promise<void> {
  await sendOnce(url, accounts.flat().map(meRequest), CLIENTS);
}

/** Returns the accounts one after the other in a random order, so that none reaches its limits. */
export function rotation(accounts: Caller[][]): () => Caller {
  const order = accounts
    .map((keys) => ({ keys, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ keys }) => keys);
  let next = 0;
  return () => {
    const n = next++;
    const keys = order[n % order.length] as Caller[];
    return keys[Math.floor(n / order.length) % keys.length] as Caller;
  };
}
