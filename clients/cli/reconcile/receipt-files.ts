/** The files in a folder of receipts, each with its SHA-256. They are only read, and sent nowhere. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { readUnchanged, unreadable } from '../../files/read-bytes.ts';
import { UserError } from '../../files/user-error.ts';

export interface ReceiptFile {
  /** The path in the folder, with `/`. In NFC: file systems write an accent in two ways. */
  name: string;
  sha256?: string;
  /** Why it cannot be a receipt. */
  problem?: 'link' | 'no file' | 'empty';
}

/** The SHA-256 of no bytes. */
const EMPTY = createHash('sha256').digest('hex');

/**
 * In the order of their names. Folders in it are read too. Hidden files are left out, and links are not followed.
 * @throws UserError for a file or a folder that cannot be read
 */
export async function readReceipts(folder: string): Promise<ReceiptFile[]> {
  const files = await filesIn(folder, '');
  return files.sort((one, other) => (orderKey(one) < orderKey(other) ? -1 : 1));
}

const orderKey = ({ name, sha256 = '' }: ReceiptFile) => `${name}\0${sha256}`;

async function filesIn(folder: string, within: string): Promise<ReceiptFile[]> {
  const files: ReceiptFile[] = [];
  const all = await readdir(folder, { withFileTypes: true }).catch((error) => {
    throw unreadable(folder, error);
  });
  for (const each of all) {
    if (each.name.startsWith('.')) continue;
    const path = join(folder, each.name);
    const name = `${within}${each.name}`.normalize('NFC');
    if (each.isDirectory()) files.push(...(await filesIn(path, `${name}/`)));
    else if (each.isFile()) files.push(await receiptOf(path, name));
    else files.push({ name, problem: each.isSymbolicLink() ? 'link' : 'no file' });
  }
  return files;
}

/** Reads in parts: a scan may have any size. */
async function receiptOf(path: string, name: string): Promise<ReceiptFile> {
  const sha256 = await readUnchanged(path, async (stream) => {
    const hash = createHash('sha256');
    for await (const chunk of stream) hash.update(chunk);
    return hash.digest('hex');
  });
  return { name, sha256, ...(sha256 === EMPTY && { problem: 'empty' }) };
}

/** An output in the folder would be the next receipt, or in the place of one. @throws UserError */
export function requireOutside(folder: string, outputs: readonly (string | undefined)[]): void {
  for (const output of outputs) {
    if (output === undefined) continue;
    const path = relative(realOf(folder), join(realOf(dirname(output)), basename(output)));
    const isOutside = path.startsWith('..') || path.startsWith('/');
    if (!isOutside)
      throw new UserError(
        `${output} cannot be written: ${folder} is the folder of receipts. Name another folder.`,
      );
  }
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    throw unreadable(folder, error);
  }
}
