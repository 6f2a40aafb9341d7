/**
 * Directories for unix sockets. They are not in the data directory, whose path may be too long for a socket; their names are
 * kept there, so that the next start can remove what one that was killed has left.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'ledger-';
const LIST = 'socket-directories';
// A socket's whole path ends at 107 bytes on Linux and 103 on macOS, and its directory and name need up to 50.
const PARENT_BYTES_MAX = 50;

/** A new empty directory with a short path, for this user alone (mode 0700). */
export function privateDirectory(purpose: string): string {
  const parent = Buffer.byteLength(tmpdir()) <= PARENT_BYTES_MAX ? tmpdir() : '/tmp';
  return mkdtempSync(join(parent, `${PREFIX}${purpose}-`));
}

/** New ones for the owner of `dataDir`, in place of those that are left there. */
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
