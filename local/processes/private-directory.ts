/**
 * Directories for unix sockets. They are not in the data directory, whose path may be too long for a socket. A list in
 * the data directory names them, so that the next start can remove those of a start that was killed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'ledger-';
const LIST = 'socket-directories';
// A socket's path has at most 107 bytes on Linux and 103 on macOS; its directory and its name take up to 50 of them.
const PARENT_BYTES_MAX = 50;

/** A new empty directory with a short path, for this user alone (mode 0700). */
export function privateDirectory(purpose: string): string {
  const parent = Buffer.byteLength(tmpdir()) <= PARENT_BYTES_MAX ? tmpdir() : '/tmp';
  return mkdtempSync(join(parent, `${PREFIX}${purpose}-`));
}

/** Creates new socket directories for `dataDir` and removes those that an earlier start has left. */
export function socketDirectories(dataDir: string): { postgresDir: string; redisDir: string } {
  removeSocketDirectories(dataDir);
  const postgresDir = privateDirectory('postgres');
  const redisDir = privateDirectory('redis');
  writeFileSync(join(dataDir, LIST), `${postgresDir}\n${redisDir}\n`);
  return { postgresDir, redisDir };
}

export function removeSocketDirectories(dataDir: string): void {
  for (const directory of listed(dataDir)) {
    if (basename(directory).startsWith(PREFIX)) rmSync(directory, { recursive: true, force: true });
  }
  rmSync(join(dataDir, LIST), { force: true });
}

function listed(dataDir: string): string[] {
  try {
    return readFileSync(join(dataDir, LIST), 'utf8').split('\n');
  } catch {
    return [];
  }
}
