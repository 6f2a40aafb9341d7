/** A private Postgres: the real server, on a unix socket, its data in one directory. */
import { realpathSync, rmSync } from 'node:fs';
import { type Child, type Service, spawnChild } from '../processes/child.ts';
import { privateDirectory } from '../processes/private-directory.ts';
import {
  createCluster,
  LEDGER,
  makeDirectoryFor,
  ownerOf,
  POSTGRES_ENVIRONMENT,
  POSTGRES_STOP_STEPS,
  stopLeftover,
} from './postgres-cluster.ts';
import { postgresFlags, postgresProgram, postgresUser } from './postgres-program.ts';
import { CHECKOUT, type StartOptions } from './service.ts';

const SETTINGS = {
  listen_addresses: '',
  port: '5432', // only in the socket's name
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  log_checkpoints: 'off',
  // "default" would log the row that violates a constraint, and entries must not be in a log.
  log_error_verbosity: 'terse',
};

interface PostgresOptions extends StartOptions {
  /** Created when it does not exist. One server at a time: the caller holds a lock, or is the only user. */
  dataDir: string;
  /** The directory of the socket. Absent: a new one, removed at the stop. Pass one to restart at the same address. */
  socketDir?: string | undefined;
  /** Settings in addition to the defaults, for example `{ port: '5433' }`. */
  settings?: Record<string, string>;
}

export interface Postgres extends Service {
  /** `postgres://ledger@localhost/ledger?host=<socket directory>` */
  url: string;
}

/** Resolves once it accepts connections. @throws CannotStart, ChildDied; then no process is left running. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, logFile, signal } = options;
  signal?.throwIfAborted();
  const program = postgresProgram(CHECKOUT);
  const owner = ownerOf(dataDir);
  const ids = postgresUser(owner);
  if (owner === undefined) await createCluster({ dataDir, program, ids, logFile, signal });
  else await stopLeftover(dataDir);

  const socketDir = options.socketDir ?? privateDirectory('postgres');
  makeDirectoryFor(ids, socketDir);
  let child: Child | undefined;
  const stop = async () => {
    await child?.stop(POSTGRES_STOP_STEPS);
    if (options.socketDir === undefined) rmSync(socketDir, { recursive: true, force: true });
  };
  try {
    const files = realpathSync(dataDir);
    const settings = { ...SETTINGS, ...options.settings, unix_socket_directories: `"${socketDir}"` };
    child = spawnChild({
      name: 'Postgres',
      command: [
        ...(options.wrapper ?? []),
        program.postgres,
        ...['-D', files],
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      env: POSTGRES_ENVIRONMENT,
      logFile,
      orphanSignal: 'INT',
      setprivFlags: postgresFlags(ids, [...program.files, files, socketDir]),
    });
    await child.line(isReady, signal);
  } catch (error) {
    await stop();
    throw error;
  }
  const host = encodeURIComponent(socketDir).replaceAll('%2F', '/');
  const url = `postgres://${LEDGER}@localhost/${LEDGER}?host=${host}`;
  return { name: child.name, pid: child.pid, died: child.died, url, stop };
}

const isReady = (line: string) => /ready to accept (read-only )?connections/.test(line) || undefined;
