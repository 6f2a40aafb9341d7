/** PgBouncer in transaction mode in front of the test's Postgres, as a child process. */
import { chmodSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installProgram } from '../../local/install-program.ts';
import { type Service, spawnChild } from '../../local/processes/child.ts';
import { postgresFlags } from '../../local/servers/postgres-program.ts';
import { temporaryDirectory } from '../fixtures/checkout.ts';
import { freePort } from '../fixtures/free-port.ts';
import { logsDir, sql, system } from '../fixtures/system.ts';

const find = () => Bun.which('pgbouncer', { PATH: `${process.env.PATH}:/usr/sbin` });

/** The path of PgBouncer. @throws Error when it is missing and cannot be installed */
async function pgBouncerProgram(): Promise<string> {
  if (find() === null) await installProgram('pgbouncer', logsDir);
  const program = find();
  if (program === null) throw new Error('There is no pgbouncer on the PATH: install it to run these tests');
  return program;
}

export interface PgBouncer extends Service {
  port: number;
  /** `postgres://…` for its clients. */
  url: string;
}

/** Settings for the role, since PgBouncer does not pass on those of its clients. */
export const roleSettings = (statementTimeoutMs: number) => ({
  statement_timeout: String(statementTimeoutMs),
  default_transaction_isolation: "'read committed'",
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  plan_cache_mode: 'force_generic_plan',
});

/** Creates a role with the settings that workers need behind PgBouncer. */
export async function createPooledRole(role: string, statementTimeoutMs: number): Promise<void> {
  await sql.unsafe(`create role ${role} login superuser`);
  for (const [name, value] of Object.entries(roleSettings(statementTimeoutMs))) {
    await sql.unsafe(`alter role ${role} set ${name} = ${value}`);
  }
}

/**
 * Resolves once it listens.
 * @param role of its connections to Postgres @param poolSize how many there are at most @param port that of an earlier one, in its place
 */
export async function startPgBouncer(role: string, poolSize: number, port = freePort()): Promise<PgBouncer> {
  const program = await pgBouncerProgram();
  const host = new URL(system.databaseUrl).searchParams.get('host') ?? '';
  const directory = temporaryDirectory();
  const configuration = join(directory, 'pgbouncer.ini');
  writeFileSync(
    configuration,
    `[databases]
ledger = host=${host} port=5432 dbname=ledger user=${role}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
query_wait_timeout = 1
server_login_retry = 1
ignore_startup_parameters = statement_timeout,default_transaction_isolation,enable_seqscan,enable_bitmapscan,plan_cache_mode
`,
  );
  // PgBouncer refuses to run as root, and the owner of the socket may connect to Postgres.
  const { uid, gid } = statSync(host);
  for (const path of [directory, configuration]) {
    chmodSync(path, 0o700);
    chownSync(path, uid, gid);
  }
  const child = spawnChild({
    name: 'PgBouncer',
    command: [program, configuration],
    env: { PATH: process.env.PATH },
    setprivFlags: postgresFlags(process.getuid?.() === 0 ? { uid, gid } : undefined, [configuration]),
    logFile: join(logsDir, 'pgbouncer.log'),
  });
  const stop = async () => {
    await child.stop([['SIGKILL', 5_000]]);
  };
  try {
    await child.line((line) => line.includes('process up') || undefined);
  } catch (error) {
    await stop();
    throw error;
  }
  const { name, pid, died } = child;
  return { name, pid, died, port, url: `postgres://${role}@127.0.0.1:${port}/ledger`, stop };
}
