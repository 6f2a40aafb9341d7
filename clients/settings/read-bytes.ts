/** Reads a file whole, once. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { FILE_BYTES_MAX } from '../typescript/import/index.ts';
import { UserError } from './user-error.ts';

/** @throws UserError */
export async function readBytes(file: string, bytesMax?: number): Promise<Uint8Array> {
  try {
    const before = await stat(file, { bigint: true });
    const bytes = await readBounded(createReadStream(file), bytesMax);
    const after = await stat(file, { bigint: true });
    const isSame = before.size === after.size && before.mtimeNs === after.mtimeNs && before.ino === after.ino;
    if (isSame || !before.isFile()) return bytes;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = { ENOENT: 'there is no such file', EISDIR: 'it is a folder' }[code ?? ''] ?? message;
    throw new UserError(`${file} cannot be read: ${reason}.`);
  }
  throw new UserError(`${file} changes while it is read: wait until it is whole, and run the command again.`);
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
