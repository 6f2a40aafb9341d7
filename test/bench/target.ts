/** What is measured: a service, its processes, and accounts that stay below their limits. */
import { closedLoop } from './closed-loop.ts';
import type { Request } from './connection.ts';
import { newEntries, SOURCE_TYPE } from './entries.ts';
import { httpConnection } from './http-load.ts';
import { meRequest, postRequest } from './requests.ts';

export interface Target {
  name: string;
  url: string;
  /** Of its servers, by `name: component`. */
  pids: ReadonlyMap<string, number>;
  accounts: Accounts;
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

/** What this needs of a checkout's own `createAdminClient`. */
export interface AdminClient {
  createAccount(request: { plan: string }): Promise<{ accountId: string }>;
  createKey(request: { accountId: string }): Promise<{ key: string }>;
  createSource(request: Record<string, unknown>): Promise<{ id: string }>;
  close(): void;
}

const READERS = 500;
// Each key stays below its rate limit.
const READER_KEYS = 4;
const STORED = 200;
const CLIENTS = 16;

/** Creates the accounts of a service through its Admin API. */
export async function fill(
  { url, admin }: { url: string; admin: AdminClient },
  writers: number,
): Promise<Accounts> {
  const accounts = {
    writers: await createAccounts(admin, writers, 1),
    readers: await createAccounts(admin, READERS, READER_KEYS),
  };
  await send(
    url,
    accounts.readers.map(([caller]) => postRequest(caller as Caller, newEntries(STORED), '201')),
  );
  return accounts;
}

async function createAccounts(admin: AdminClient, count: number, keys: number): Promise<Caller[][]> {
  const accounts: Caller[][] = [];
  let left = count;
  const create = async () => {
    while (left-- > 0) {
      const { accountId } = await admin.createAccount({ plan: 'pro' });
      const source = { type: SOURCE_TYPE, name: 'Flat 2, 14 Mill Lane', role: 'owner', sharePercent: 100 };
      const { id: sourceId } = await admin.createSource({ accountId, ...source });
      const minted = await Promise.all(Array.from({ length: keys }, () => admin.createKey({ accountId })));
      accounts.push(minted.map(({ key }) => ({ accountId, sourceId, key })));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, create));
  return accounts;
}

/** A gateway remembers keys for some minutes: with this it is as one that has run for a while. */
export function rememberKeys({ url }: Target, accounts: Caller[][]): Promise<void> {
  return send(url, accounts.flat().map(meRequest));
}

/** Sends each request once. @throws Error when a response is not the expected one */
async function send(url: string, requests: readonly Request[]): Promise<void> {
  const connections = await Promise.all(Array.from({ length: CLIENTS }, () => httpConnection(url)));
  const { failures } = await closedLoop(connections, requests, Number.POSITIVE_INFINITY);
  for (const connection of connections) connection.close();
  for (const [result, count] of Object.entries(failures))
    throw new Error(`${count} responses of ${url}: ${result}`);
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
