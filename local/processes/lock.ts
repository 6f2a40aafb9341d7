/** A file lock that ends with the process that holds it. */
import { Database } from 'bun:sqlite';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from './cannot-start.ts';

export interface Lock {
  release(): void;
}

/**
 * Takes the lock on `file`. The kernel releases it when the holder ends, even by SIGKILL, so there are no stale locks,
 * as there would be with a file that holds a process id. Bun includes SQLite, which has such a lock on every platform.
 * @returns undefined while another process holds it.
 */
export function tryLock(file: string): Lock | undefined {
  const database = new Database(file, { create: true });
  try {
    database.run('pragma journal_mode = memory');
    database.run('begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
  writeFileSync(holderFile(file), `${process.pid}\n`);
  return {
    release() {
      rmSync(holderFile(file), { force: true });
      database.close();
    },
  };
}

/**
 * Takes the lock on a data directory: one system at a time.
 * @throws CannotStart
 */
export function lockDataDirectory(dataDir: string): Lock {
  const file = join(dataDir, 'lock');
  const lock = tryLock(file);
  if (lock) return lock;
  throw new CannotStart(
    `Another start uses ${dataDir} (process ${holder(file)}): stop it, or give this one another directory by --data.`,
  );
}

function holder(file: string): string {
  try {
    return readFileSync(holderFile(file), 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

/** Holds the process id for the error message; only the lock itself decides. */
const holderFile = (file: string) => `${file}.pid`;
