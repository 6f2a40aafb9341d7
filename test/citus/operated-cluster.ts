/** A cluster that a test operates by the commands of docs/citus.md: its servers, a worker, and accounts that use it. */
import { expect } from 'bun:test';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectoryFor } from '../../local/servers/postgres-cluster.ts';
import { postgresFlags, postgresUser } from '../../local/servers/postgres-program.ts';
import { startWorker, type Worker } from '../../local/servers/worker.ts';
import { createAdminClient } from '../../proto/admin-client.ts';
import { hashApiKey } from '../../proto/api-key.ts';
import { settings } from '../deploy/runbook.ts';
import { temporaryDirectory } from '../fixtures/checkout.ts';
import { type CitusCluster, startCitusCluster } from '../fixtures/citus-cluster.ts';
import { CitusNode } from '../fixtures/citus-node.ts';
import { findCitus } from '../fixtures/citus-program.ts';
import { digestOfRows, openOne } from '../fixtures/database.ts';
import { newEntry, openLedger } from '../fixtures/ledger.ts';
import { newAccount } from '../fixtures/new-account.ts';
import { until } from '../fixtures/until.ts';
import { blocksOf, Runbook } from './runbook.ts';
import type { NodeAccount } from './services.ts';

// Longer than the worker's check of the nodes, and its pauses.
const RECOVERY_MS_MAX = 30_000;
const DATABASE = 'accounts';
const ACCOUNTS = 12;

/** Of the page, before a node is added. */
export const SERVERS = ['coordinator', 'node-1', 'node-2'];

export class OperatedCluster {
  readonly directory = temporaryDirectory();
  readonly backups = join(this.directory, 'backups');
  /** Directories of servers that are restored, or of standbys. */
  readonly restores = join(this.directory, 'restores');
  /** Of which all are served. */
  readonly accounts: NodeAccount[] = [];
  worker!: Worker;
  admin!: ReturnType<typeof createAdminClient>;
  ledger!: ReturnType<typeof openLedger>;
  readonly #cluster: CitusCluster;
  readonly #servers: Record<string, CitusNode>;
  readonly #replaced: CitusNode[] = [];

  private constructor(cluster: CitusCluster) {
    this.#cluster = cluster;
    this.#servers = Object.fromEntries(
      [cluster.coordinator, ...cluster.nodes].map((node) => [node.name, node]),
    );
  }

  /** Servers with the settings of the page, and a migrated database on the coordinator, which knows no node. */
  static async start(): Promise<OperatedCluster> {
    const [required = { text: '' }] = blocksOf('The servers');
    const [archive = { text: '' }] = blocksOf('Backup');
    const { archive_command = '', ...archiving } = settings(archive.text);
    const cluster = new OperatedCluster(
      await startCitusCluster({
        nodes: 3,
        // Few shards: each takes seconds to move.
        settings: { ...settings(required.text), ...archiving, 'citus.shard_count': '6' },
      }),
    );
    const { backups, directory, restores } = cluster;
    for (const each of [directory, backups, restores]) makeDirectoryFor(postgresUser(undefined), each);
    for (const name of Object.keys(cluster.#servers)) {
      for (const each of [join(backups, name), join(backups, name, 'wal')])
        makeDirectoryFor(postgresUser(undefined), each);
      const server = cluster.runbook([name], 'postgres');
      const command = archive_command.replaceAll('SERVER', name).replaceAll('/backups', backups);
      await server.query(name, `alter system set archive_command = '${command}'`);
      await server.query(name, 'select pg_reload_conf()');
      await server.query(name, `create database ${DATABASE}`);
    }
    await cluster.runbook().follow(blocksOf('Upgrade the service'));
    return cluster;
  }

  async distribute(): Promise<void> {
    await this.serve('coordinator');
    for (let n = 0; n < ACCOUNTS; n++) await this.use(await this.createAccount());
    // A pass of retention may begin meanwhile.
    const { upkeep: _, ...rows } = await this.digests();
    await this.runbook().follow(blocksOf('Distribute the database'));
    expect(await this.digests()).toMatchObject(rows);
  }

  runbook(servers: readonly string[] = SERVERS, database = DATABASE): Runbook {
    const ports = Object.fromEntries(servers.map((name) => [name, this.server(name).port]));
    return new Runbook({ ports, database, backups: this.backups });
  }

  server(name: string): CitusNode {
    const node = this.#servers[name];
    if (!node) throw new Error(`there is no ${name}`);
    return node;
  }

  /** Starts a worker with these hosts in place of the one before. */
  async serve(hosts: string, runbook = this.runbook(hosts.split(','))): Promise<void> {
    await this.stopWorker();
    this.worker = await startWorker({ databaseUrl: runbook.url(hosts), env: { MIGRATE: 'never' } });
    this.admin = createAdminClient(this.worker.adminAddress);
    this.ledger = openLedger(this.worker.address);
  }

  async stopWorker(): Promise<void> {
    this.admin?.close();
    this.ledger?.close();
    await this.worker?.stop();
  }

  async createAccount(): Promise<NodeAccount> {
    const account = await newAccount(this.admin);
    this.accounts.push(account);
    return account;
  }

  async use({ accountId, source: sourceId, keys: [key = ''] }: NodeAccount): Promise<void> {
    const caller = { accountId, keyHash: hashApiKey(key) };
    const written = await this.ledger.createEntries({ caller, sourceId, entries: [newEntry()] });
    expect(written.created).toBeDefined();
    expect((await this.ledger.listEntries({ caller, sourceId, limit: 1 })).page).toBeDefined();
  }

  isServed(account: NodeAccount): Promise<boolean> {
    return works(this.use(account));
  }

  async untilAllAreServed(): Promise<void> {
    const areServed = async () =>
      (await Promise.all(this.accounts.map((each) => this.isServed(each)))).every(Boolean);
    await until('all accounts are served', areServed, RECOVERY_MS_MAX);
  }

  /** The name of the server that has the account's rows. */
  async nodeOf({ accountId }: NodeAccount): Promise<string> {
    const [select] = blocksOf('Move an account');
    const [row] = await this.runbook().follow(select ? [select] : [], { ACCOUNT: accountId });
    return Object.entries(this.#servers).find(([, { port }]) => port === row?.nodeport)?.[0] ?? '';
  }

  async accountOn(name: string): Promise<NodeAccount> {
    for (const account of this.accounts) if ((await this.nodeOf(account)) === name) return account;
    throw new Error(`no account is on ${name}`);
  }

  async digests(runbook = this.runbook()): Promise<Record<string, string>> {
    const sql = openOne(runbook.url('coordinator'));
    return digestOfRows(sql).finally(() => sql.end());
  }

  /** Starts a server on another directory, in place of one or, at another port, beside it. */
  async startOn(name: string, dataDir: string, former: CitusNode, port = former.port): Promise<void> {
    const postgres = join(findCitus(), 'postgres');
    if (port !== former.port) appendFileSync(join(dataDir, 'postgresql.auto.conf'), `port = ${port}\n`);
    const setprivFlags = postgresFlags(postgresUser(undefined), [postgres, dataDir]);
    const logFile = `${dataDir}.log`;
    const node = new CitusNode({ name, port, postgres, dataDir, logFile, setprivFlags, onFreeze() {} });
    this.#replaced.push(former);
    this.#servers[name] = node;
    await node.start();
  }

  async untilWritable(names: readonly string[]): Promise<void> {
    await until(`${names} accept writes`, async () => {
      const rows = await Promise.all(
        names.map((name) => this.runbook().query(name, 'select pg_is_in_recovery() as recovers')),
      );
      return rows.every(([row]) => row?.recovers === false);
    });
  }

  async stop(): Promise<void> {
    await this.stopWorker();
    for (const node of [...this.#replaced, ...Object.values(this.#servers)]) await node.stop();
    await this.#cluster.stop();
  }
}

export const works = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  );
