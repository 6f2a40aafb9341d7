/** The measured servers with their databases: the service, the bare stack, the reference, and a second service with small books. */
import { join } from 'node:path';
import { openDatabase } from '../../ledger-worker/database/connection.ts';
import { migrate } from '../../ledger-worker/database/migrate.ts';
import { spawnChild } from '../../local/processes/child.ts';
import { serviceEnvironment, serviceLine } from '../../local/servers/service.ts';
import { startGateway, startWorker } from '../../local/system.ts';
import type { Account } from './accounts.ts';
import { openSql, type Sql } from './sql.ts';
import type { Stack } from './stack.ts';

export interface Books {
  /** The name of the server. */
  name: string;
  /** `http://host:port` */
  url: string;
  databaseUrl: string;
  /** For statements between the measurements. */
  sql: Sql;
  /** The account with the key that requests to this server send. */
  accountOf(account: Account): Account;
  stop(): Promise<void>;
}

const SERVICE = 'service';
/** As little of the service's stack as can be: Elysia, one gRPC call, JSON.parse, the driver, the service's own statement. */
export const BARE_STACK = 'bare stack';
export const REFERENCE = 'Fastify + pg';
export const CONTROL = 'small books';
export const BARE_STACK_GATEWAY = `${BARE_STACK}: gateway`;
export const BARE_STACK_WORKER = `${BARE_STACK}: worker`;

const READY_MS_MAX = 30_000;

const asItIs = (account: Account) => account;

export function serviceBooks({ system, sql }: Stack): Books {
  return {
    name: SERVICE,
    url: system.url,
    databaseUrl: system.databaseUrl,
    sql,
    accountOf: asItIs,
    stop: async () => {},
  };
}

/** Two processes as well, on the books of the service. */
export async function bareStackBooks({ system, sql, pids }: Stack): Promise<Books> {
  const start = (program: string, env: Record<string, string>) =>
    spawnChild({
      name: `${BARE_STACK}: ${program}`,
      command: [process.execPath, join(import.meta.dir, `bare-stack/${program}.ts`)],
      env: serviceEnvironment(env),
    });
  const worker = start('worker', { DATABASE_URL: system.databaseUrl });
  const { address } = await worker.line(serviceLine('address'), { timeoutMs: READY_MS_MAX });
  const gateway = start('gateway', { WORKER_ADDRESS: address });
  const { url } = await gateway.line(serviceLine('url'), { timeoutMs: READY_MS_MAX });
  pids.set(BARE_STACK_GATEWAY, gateway.pid).set(BARE_STACK_WORKER, worker.pid);
  const stop = async () => {
    await gateway.stop();
    await worker.stop();
  };
  // It looks up no key: the key names the account and the hash of the account's own key.
  const accountOf = (account: Account) => ({ ...account, key: `${account.accountId}:${account.keyHash}` });
  return { name: BARE_STACK, url, databaseUrl: system.databaseUrl, sql, accountOf, stop };
}

/** One process instead of gateway and worker, with its own database in the same Postgres. */
export async function referenceBooks(stack: Stack): Promise<Books> {
  const { databaseUrl, sql } = await newDatabase(stack, 'reference');
  const migrations = openDatabase({ url: databaseUrl, poolMax: 1, statementTimeoutMs: 0 });
  await migrate(migrations);
  await migrations.end();
  const child = spawnChild({
    name: REFERENCE,
    command: [process.execPath, join(import.meta.dir, 'reference/main.ts')],
    env: serviceEnvironment({ DATABASE_URL: databaseUrl, HOST: '127.0.0.1', PORT: '0' }),
  });
  const { url } = await child.line(serviceLine('url'), { timeoutMs: READY_MS_MAX });
  stack.pids.set(REFERENCE, child.pid);
  const stop = async () => {
    await sql.end();
    await child.stop();
  };
  return { name: REFERENCE, url, databaseUrl, sql, accountOf: asItIs, stop };
}

/** A second worker and gateway, with their own database in the same Postgres. */
export async function controlBooks(stack: Stack): Promise<Books> {
  const { databaseUrl, sql } = await newDatabase(stack, 'control');
  const worker = await startWorker({ databaseUrl });
  const { redisUrl } = stack.system;
  const gateway = await startGateway({ workerAddress: worker.address, redisUrl });
  const stop = async () => {
    await sql.end();
    await gateway.stop();
    await worker.stop();
    // Several workloads have a control, one after the other.
    await stack.sql.unsafe('drop database control');
  };
  return { name: CONTROL, url: gateway.url, databaseUrl, sql, accountOf: asItIs, stop };
}

async function newDatabase(stack: Stack, name: string): Promise<{ databaseUrl: string; sql: Sql }> {
  await stack.sql.unsafe(`create database ${name}`);
  const url = new URL(stack.system.databaseUrl);
  url.pathname = `/${name}`;
  return { databaseUrl: url.href, sql: openSql(url.href) };
}
