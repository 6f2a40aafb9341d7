/**
 * A request is executed by the node of its account: the coordinator and the other nodes do nothing for it, and no query is of more
 * than one shard. Each node counts what it executes.
 */
import { describe, expect, setDefaultTimeout } from 'bun:test';
import postgres, { type Sql } from 'postgres';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { hashApiKey } from '../../proto/api-key.ts';
import { createAdminClient } from '../../proto/client.ts';
import type { CitusCluster } from '../fixtures/citus-cluster.ts';
import type { CitusNode } from '../fixtures/citus-node.ts';
import { startDistributedDatabase } from '../fixtures/distributed-database.ts';
import { newEntry, openLedger, type TestLedger } from '../fixtures/ledger.ts';
import { createAccounts, type NodeAccount } from './services.ts';
import { afterAll, beforeAll, test } from './with-citus.ts';

setDefaultTimeout(60_000);

const CALLS = 20;
const RUNS = 4;

// Of its own: the retention of the accounts of other files would be counted.
let cluster: CitusCluster;
let connections: Map<CitusNode, Sql>;
const workers: Worker[] = [];
const ledgers: TestLedger[] = [];

async function startLedger(databaseUrl: string): Promise<TestLedger> {
  const worker = await startWorker({ databaseUrl });
  const ledger = openLedger(worker.address);
  workers.push(worker);
  ledgers.push(ledger);
  return ledger;
}

/** Connects to every node. */
let ofAll: TestLedger;
/** Connects to the first node only. */
let ofFirst: TestLedger;
let caller: Awaited<ReturnType<typeof newAccount>>['caller'];
let sourceId: string;

beforeAll(async () => {
  cluster = await startDistributedDatabase();
  const servers = [cluster.coordinator, ...cluster.nodes];
  connections = new Map(servers.map((node) => [node, postgres(node.url, { max: 1 })]));
  ofAll = await startLedger(cluster.nodesUrl());
  ofFirst = await startLedger(cluster.nodes[0].url);
  ({ caller, sourceId } = await newAccount());
});
afterAll(async () => {
  for (const ledger of ledgers) ledger.close();
  for (const worker of workers) await worker.stop();
  for (const sql of connections?.values() ?? []) await sql.end();
  await cluster?.stop();
});

/** An account whose rows are on the second node. */
async function newAccount() {
  const admin = createAdminClient(workers[0]?.adminAddress ?? '');
  try {
    const [{ accountId, source, keys }] = (await createAccounts({ admin }, cluster.coordinator, [2])) as [
      NodeAccount,
    ];
    return { caller: { accountId, keyHash: hashApiKey(keys[0] ?? '') }, sourceId: source };
  } finally {
    admin.close();
  }
}

interface Counts {
  singleShard: number;
  multiShard: number;
  /** Connections to other servers that were opened, or used again. */
  connections: number;
}

/** What each server has executed since its start, by its name. */
async function counted(): Promise<Record<string, Counts>> {
  const counts = [...connections].map(async ([node, sql]) => {
    const [row] = await sql<[Counts]>`
      select query_execution_single_shard::integer as "singleShard",
             query_execution_multi_shard::integer as "multiShard",
             (connection_establishment_succeeded + connection_reused)::integer as connections
        from citus_stat_counters where name = current_database()`;
    return [node.name, row] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

/**
 * What each server executes for CALLS calls, one after the other: the least of several runs, because the workers' checks and their
 * deletion of expired rows are counted too.
 */
async function executedFor(call: () => Promise<unknown>): Promise<Record<string, Counts>> {
  const least: Record<string, Counts> = {};
  // In the first run, something is looked up and planned once.
  for (let run = 0; run <= RUNS; run++) {
    const before = await counted();
    for (let n = 0; n < CALLS; n++) await call();
    const after = await counted();
    if (run === 0) continue;
    for (const [name, counts] of Object.entries(after)) {
      const executed = difference(counts, before[name] as Counts);
      least[name] = run === 1 ? executed : leastOf(executed, least[name] as Counts);
    }
  }
  return least;
}

const each = (combine: (name: keyof Counts) => number): Counts => ({
  singleShard: combine('singleShard'),
  multiShard: combine('multiShard'),
  connections: combine('connections'),
});
const difference = (a: Counts, b: Counts) => each((name) => a[name] - b[name]);
const leastOf = (a: Counts, b: Counts) => each((name) => Math.min(a[name], b[name]));

const NOTHING: Counts = { singleShard: 0, multiShard: 0, connections: 0 };

const entries = (count: number) =>
  Array.from({ length: count }, () => newEntry({ externalRef: Bun.randomUUIDv7() }));
const known = newEntry({ externalRef: 'known' });
const RPCS: [string, (ledger: TestLedger) => Promise<unknown>][] = [
  ['createEntries of one', (ledger) => ledger.createEntries({ caller, sourceId, entries: [newEntry()] })],
  ['createEntries of 20', (ledger) => ledger.createEntries({ caller, sourceId, entries: entries(20) })],
  [
    'createEntries of a known one',
    (ledger) => ledger.createEntries({ caller, sourceId, entries: [{ ...known, id: Bun.randomUUIDv7() }] }),
  ],
  [
    'createEntries with an idempotency key',
    (ledger) =>
      ledger.createEntries({
        caller,
        sourceId,
        entries: [newEntry()],
        idempotency: { key: Bun.randomUUIDv7(), fingerprint: hashApiKey(Bun.randomUUIDv7()) },
      }),
  ],
  ['authenticate', (ledger) => ledger.authenticate({ keyHash: caller.keyHash })],
  ['listSources', (ledger) => ledger.listSources({ caller })],
  ['listEntries', (ledger) => ledger.listEntries({ caller, sourceId, limit: 50 })],
];

describe.each([
  ["a worker that connects to the account's node has it execute the request", () => ofAll, NOTHING],
  [
    'another node delegates the request whole, in one query',
    () => ofFirst,
    { singleShard: CALLS, multiShard: 0, connections: CALLS },
  ],
])('%s:', (_, ledger, ofOther) => {
  test.each(RPCS)('%s', async (_, call) => {
    const { coordinator, 'node-1': other, 'node-2': own } = await executedFor(() => call(ledger()));
    expect(own).toMatchObject({ multiShard: 0, connections: 0 });
    expect(own?.singleShard).toBeGreaterThanOrEqual(CALLS);
    expect(coordinator).toEqual(NOTHING);
    expect(other).toEqual(ofOther);
  });
});
