/** Files within the one folder that the operator allows. */
import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { printable } from '../../platform/terminal.ts';
import { ToolError } from './errors.ts';
import { type List, list } from './pages.ts';

const FILE_MIB_MAX = 5;
const LISTED_MAX = 200;
/** The folder may be the root of a large disk. */
const VISITED_MAX = 10_000;

interface ListedFile {
  /** The path within the folder, as `preview_file` takes it. */
  path: string;
  bytes: number;
  modified: string;
}

/** The regular files of the folder and of the folders in it, newest first, without the hidden ones. @param folder its real path */
export async function listFiles(
  folder: string | undefined,
): Promise<{ files: List<ListedFile>; isComplete: boolean }> {
  const files: ListedFile[] = [];
  requireFolder(folder);
  const toVisit = [folder];
  let visited = 0;
  for (let current = toVisit.pop(); current !== undefined; current = toVisit.pop()) {
    // A folder that may not be read, or is gone by now, has no files for the assistant.
    const entries = await readdir(current, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      if (++visited > VISITED_MAX) break;
      const path = join(current, entry.name);
      if (entry.isDirectory()) toVisit.push(path);
      const stats = entry.isFile() ? await stat(path).catch(() => undefined) : undefined;
      if (!stats) continue;
      const modified = stats.mtime.toISOString();
      files.push({ path: relative(folder, path), bytes: stats.size, modified });
    }
  }
  files.sort((one, other) => (one.modified < other.modified ? 1 : -1));
  const isComplete = visited <= VISITED_MAX && files.length <= LISTED_MAX;
  return { files: list(files.slice(0, LISTED_MAX)), isComplete };
}

/** The path of a listed file: results have its invisible characters escaped. */
export async function realNameOf(folder: string | undefined, path: string): Promise<string> {
  if (!path.includes('\\u')) return path;
  const paths = (await listFiles(folder)).files.rows.map((each) => each.path);
  return paths.includes(path) ? path : (paths.find((each) => printable(each) === path) ?? path);
}

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
  requireFolder(folder);
  if (path.includes('\0')) throw new ToolError('The path has a zero character.');
  requireWithin(folder, resolve(folder, path));
  const real = await realPathOf(resolve(folder, path)).catch(() => {
    throw new ToolError(`There is no file ${JSON.stringify(path)} in ${folder}.`);
  });
  requireWithin(folder, real);
  return readRegular(real);
}

function requireFolder(folder: string | undefined): asserts folder is string {
  if (folder !== undefined) return;
  throw new ToolError(
    'This server may read no files: a person starts it with --folder to allow one folder. Rows can be pasted into preview_rows.',
  );
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
