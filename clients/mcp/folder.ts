/** Files within the one folder that the operator allows. */
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { ToolError } from './errors.ts';

const FILE_MIB_MAX = 5;

/**
 * The bytes of a regular file.
 * @param folder its real path
 * @param path within the folder, or absolute
 * @param realPathOf resolves links. The path may become a link afterwards, so that opening the file follows none.
 * @throws ToolError, the same for every path outside the folder, existing or not
 */
export async function readWithin(
  folder: string | undefined,
  path: string,
  realPathOf: (path: string) => Promise<string> = realpath,
): Promise<Uint8Array> {
  if (folder === undefined) {
    throw new ToolError(
      'This server may read no files: a person starts it with --folder to allow one folder. Rows can be pasted into preview_rows.',
    );
  }
  if (path.includes('\0')) throw new ToolError('The path has a zero character.');
  requireWithin(folder, resolve(folder, path));
  const real = await realPathOf(resolve(folder, path)).catch(() => {
    throw new ToolError(`There is no file ${JSON.stringify(path)} in ${folder}.`);
  });
  requireWithin(folder, real);
  return readRegular(real);
}

function requireWithin(folder: string, path: string): void {
  const within = relative(folder, path);
  const names = within.split(sep);
  // Hidden files and folders hold keys and settings, not statements.
  if (within !== '' && !isAbsolute(within) && !names.some((name) => name.startsWith('.'))) return;
  throw new ToolError(
    `Only files within ${folder} can be read, and no hidden ones. Move the file there, or paste its rows into preview_rows.`,
  );
}

async function readRegular(real: string): Promise<Uint8Array> {
  // Follow no link created meanwhile, and do not block on a pipe.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(real, flags).catch(() => {
    throw new ToolError('The file cannot be opened: a person has to check its permissions.');
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new ToolError('This is no regular file. Name a file, not a folder.');
    if (stats.size > FILE_MIB_MAX * 2 ** 20) {
      throw new ToolError(
        `The file has more than ${FILE_MIB_MAX} MiB. Export a shorter period, or use \`ledger push\`.`,
      );
    }
    const bytes = new Uint8Array(stats.size);
    const { bytesRead } = await file.read(bytes, 0, stats.size, 0);
    const after = await file.stat();
    if (bytesRead !== stats.size || after.size !== stats.size || after.mtimeMs !== stats.mtimeMs) {
      throw new ToolError('The file changes while it is read: preview it again when it is whole.');
    }
    return bytes;
  } finally {
    await file.close();
  }
}
