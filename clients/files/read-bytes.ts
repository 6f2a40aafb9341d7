/** Reads a file whole, once. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { FILE_BYTES_MAX } from '../typescript/import/index.ts';
import { UserError } from './user-error.ts';

/** @throws UserError */
export const readBytes = (file: string, bytesMax?: number): Promise<Uint8Array> =>
  readUnchanged(file, (stream) => readBounded(stream, bytesMax));

/** @throws UserError for a file that cannot be read, or that changes while it is read */
export async function readUnchanged<Content>(
  file: string,
  read: (stream: AsyncIterable<Buffer>) => Promise<Content>,
): Promise<Content> {
  try {
    const before = await stat(file, { bigint: true });
    const content = await read(createReadStream(file));
    const after = await stat(file, { bigint: true });
    const isSame = before.size === after.size && before.mtimeNs === after.mtimeNs && before.ino === after.ino;
    if (isSame || !before.isFile()) return content;
  } catch (error) {
    throw unreadable(file, error);
  }
  throw new UserError(`${file} changes while it is read: wait until it is whole, and run the command again.`);
}

const READ_FAILURES: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is no folder',
};

/** An error of the file system, as a sentence. */
export function unreadable(file: string, error: unknown): UserError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = READ_FAILURES[code ?? ''] ?? message;
  return new UserError(`${file} cannot be read: ${reason}.`);
}

/** Stops reading above the size limit of a file, which bounds the memory. The reader then refuses the file. */
export async function readBounded(
  stream: AsyncIterable<string | Buffer>,
  bytesMax = FILE_BYTES_MAX,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > bytesMax) break;
  }
  return Buffer.concat(chunks);
}
