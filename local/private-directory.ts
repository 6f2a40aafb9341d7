/** Directories for unix sockets. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const PRIVATE_PREFIX = 'ledger-';
// A socket's whole path ends at 107 bytes on Linux and 103 on macOS, and its directory and name need up to 50.
const PARENT_BYTES_MAX = 50;

/** A new empty directory with a short path, for this user alone (mode 0700). */
export function privateDirectory(purpose: string): string {
  const parent = Buffer.byteLength(tmpdir()) <= PARENT_BYTES_MAX ? tmpdir() : '/tmp';
  return mkdtempSync(join(parent, `${PRIVATE_PREFIX}${purpose}-`));
}
