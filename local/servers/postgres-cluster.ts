/** The files of a Postgres: who owns them, how they come into being, and what an earlier server on them left. */
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

/** The superuser's name and the database's. */
export const LEDGER = 'ledger';

/** Nothing of the user's own: PGPORT, PGDATA and others would change what these programs do. */
export const POSTGRES_ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/** Fast shutdown ends the sessions and writes a checkpoint; immediate shutdown leaves a recovery to the next start. */
export const POSTGRES_STOP_STEPS: StopStep[] = [
  ['SIGINT', 15_000],
  ['SIGQUIT', 5_000],
];

/** The owner of the data in `dataDir`; undefined when there is none yet. */
export function ownerOf(dataDir: string): Ids | undefined {
  const stat = statSync(dataDir, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  try {
    return readdirSync(dataDir).length > 0 ? stat : undefined;
  } catch {
    return stat; // another user's
  }
}

/** Makes `directory` if need be, for `ids` alone (undefined: for this user). */
export function makeDirectoryFor(ids: Ids | undefined, directory: string): void {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o700);
  if (ids) chownSync(directory, ids.uid, ids.gid);
}

export interface CreateCluster {
  dataDir: string;
  program: PostgresProgram;
  /** Who owns and runs it; undefined: this user. */
  ids: Ids | undefined;
  logFile?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Made in a directory beside the final one, so that a cluster is there whole, with its database, or not at all. */
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
    // Should this process be killed, nothing is left that still tidies up while the next start makes its cluster.
    orphanSignal: 'KILL' as const,
    setprivFlags: postgresFlags(ids, [...program.files, newDir]),
  };

  const access = [`--username=${LEDGER}`, '--auth-local=trust', '--auth-host=reject'];
  // Postgres brings C.UTF-8 itself ("builtin"): no need to ask which locales this machine has.
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

/** A start that was killed may have left its Postgres running. It is stopped by its id once it is surely that one. */
export async function stopLeftover(dataDir: string): Promise<void> {
  const idFile = join(dataDir, 'postmaster.pid');
  if (!existsSync(idFile)) return;
  const pid = Number(readFileSync(idFile, 'utf8').split('\n')[0]);
  const [program = '', ...words] = processInfo(pid)?.words ?? [];
  if (basename(program) !== 'postgres') {
    // By now the id may be another process's, which Postgres would take for a server on this data.
    rmSync(idFile, { force: true });
    return;
  }
  // Not one of ours, or called by another path: Postgres itself will find out.
  if (!words.includes(realpathSync(dataDir))) return;
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
