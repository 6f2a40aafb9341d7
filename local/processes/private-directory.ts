/** Directories for unix sockets. They are not in the data directory, whose path may be too long for a socket. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A socket's path has at most 107 bytes on Linux and 103 on macOS; its directory and its name take up to 50 of them.
const PARENT_BYTES_MAX = 50;

/** A new empty directory with a short path, for this user alone (mode 0700). */
export function privateDirectory(purpose: string): string {
  const parent = Buffer.byteLength(tmpdir()) <= PARENT_BYTES_MAX ? tmpdir() : '/tmp';
  return mkdtempSync(join(parent, `ledger-${purpose}-`));
}
