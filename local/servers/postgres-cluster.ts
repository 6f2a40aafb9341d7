/** The data directory of a Postgres: its owner, its creation, and a server that an earlier start has left running. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { CannotStart } from '../processes/cannot-start.ts';
import { type StopStep, spawnChild } from '../processes/child.ts';
import { isRunning, processInfo } from '../processes/process-info.ts';
import { type Ids, type PostgresProgram, postgresFlags } from './postgres-program.ts';

/** The name of the superuser and of the database. */
export const LEDGER = 'ledger';

/** The environment without the user's variables: PGPORT, PGDATA and others would change the behaviour of these programs. */
export const POSTGRES_ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/** SIGINT: ends the sessions and writes a checkpoint. SIGQUIT: ends at once, and the next start runs a recovery. */
export const POSTGRES_STOP_STEPS: StopStep[] = [
  ['SIGINT', 15_000],
  ['SIGQUIT', 5_000],
];

/** The owner of the data in `dataDir`; undefined when there is no data yet. */
export function ownerOf(dataDir: string): Ids | undefined {
  const stat = statSync(dataDir, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  try {
    return readdirSync(dataDir).length > 0 ? stat : undefined;
  } catch {
    return stat; // it belongs to another user
  }
}

/** Creates `directory` if need be, readable for `ids` alone (undefined: for this user). */
export function makeDirectoryFor(ids: Ids | undefined, directory: string): void {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o700);
  if (ids) chownSync(directory, ids.uid, ids.gid);
}

interface CreateCluster {
  dataDir: string;
  program: PostgresProgram;
  /** The user who owns and runs it; undefined: this user. */
  ids: Ids | undefined;
  logFile?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Creates the cluster beside `dataDir` and renames it, so that `dataDir` never holds half a cluster. */
export async function createCluster({
  dataDir,
  program,
  ids,
  logFile,
  signal,
}: CreateCluster): Promise<void> {
  const newDir = `${dataDir}.new`;
  rmSync(newDir, { recursive: true, force: true });
  makeDirectoryFor(ids, newDir);
  const common = {
    env: POSTGRES_ENVIRONMENT,
    logFile,
    // If this process is killed, initdb must not still clean up while the next start creates its cluster.
    orphanSignal: 'KILL' as const,
    setprivFlags: postgresFlags(ids, [...program.files, newDir]),
  };

  const access = [`--username=${LEDGER}`, '--auth-local=trust', '--auth-host=reject'];
  // Postgres has C.UTF-8 built in, so the locales of this machine do not matter.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  await spawnChild({
    name: 'initdb',
    command: [program.initdb, '-D', newDir, ...access, ...locale],
    ...common,
  }).completed(signal);
  await spawnChild({
    name: 'creation of the database',
    command: [program.postgres, '--single', '-D', newDir, 'postgres'],
    input: `create database ${LEDGER}\n`,
    ...common,
  }).completed(signal);
  renameSync(newDir, dataDir);
}

/** Stops the Postgres that an earlier start has left running on `dataDir`, after a check that the process is this Postgres. */
export async function stopLeftover(dataDir: string): Promise<void> {
  const idFile = join(dataDir, 'postmaster.pid');
  if (!existsSync(idFile)) return;
  const pid = Number(readFileSync(idFile, 'utf8').split('\n')[0]);
  const [program = '', ...args] = processInfo(pid)?.argv ?? [];
  if (basename(program) !== 'postgres') {
    // The id may belong to another process by now, which Postgres would take for a server on this data.
    rmSync(idFile, { force: true });
    return;
  }
  // Another Postgres, or one started with another path: the new Postgres itself refuses to start if it must.
  if (!args.includes(realpathSync(dataDir))) return;
  for (const [signal, waitMs] of [...POSTGRES_STOP_STEPS, ['SIGKILL', 5_000] as StopStep]) {
    try {
      process.kill(pid, signal);
    } catch {
      if (!isRunning(pid)) return;
      break;
    }
    for (const until = Date.now() + waitMs; Date.now() < until; await Bun.sleep(50)) {
      if (!isRunning(pid)) return;
    }
  }
  throw new CannotStart(`Postgres still runs from an earlier start and does not end (process ${pid}).`);
}
