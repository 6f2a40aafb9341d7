/** Output files. Each appears whole or not at all, and never replaces an input file. */
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  appendFileSync,
  type BigIntStats,
  closeSync,
  createWriteStream,
  fchmodSync,
  constants as fileConstants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { constants } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UserError } from './user-error.ts';

/** By extension: recognises a file of this kind. */
export type OutputKind = Readonly<Record<string, (file: string) => boolean>>;

/** Paths, and descriptors such as standard input. */
export type Inputs = readonly (string | number)[];

export interface OutputOptions {
  /** Files that the command reads. They are never replaced. */
  inputs?: Inputs;
  /** Only a file of this kind is replaced. Absent: any. */
  kind?: OutputKind;
  /** Replaces a file of any kind. */
  force?: boolean | undefined;
}

type FileContent = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** The target of the content: a file, or a pipe or device, which cannot be replaced whole. */
type WriteTarget = { path: string; mode: number | undefined } | { stream: () => NodeJS.WritableStream };

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const PERMISSIONS = 0o7777;
const { W_OK } = fileConstants;

/**
 * Checks before the work that the file can be written. Creates and changes nothing.
 * @throws UserError
 */
export function requireWritable(file: string, options: OutputOptions): void {
  explained(file, () => writeTargetOf(file, options));
}

/**
 * Writes a complete temporary file beside it, then renames that.
 * @param mode of the file; by default unchanged
 * @throws UserError; errors of `content`
 */
export async function writeWhole(
  file: string,
  content: FileContent,
  { mode, ...options }: OutputOptions & { mode?: number } = {},
): Promise<void> {
  const target = explained(file, () => writeTargetOf(file, options));
  if ('stream' in target) {
    const stream = target.stream();
    const isShared = stream === process.stdout || stream === process.stderr;
    await pipeline(content, stream, { end: !isShared }).catch((error) => failToWrite(file, error));
    return;
  }
  // A random name and `wx`: never writes into a file that somebody else put there.
  const temporary = join(dirname(target.path), `.ledger-${randomUUID()}`);
  const remove = () => rmSync(temporary, { force: true });
  const onSignal = (signal: (typeof SIGNALS)[number]) => {
    remove();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.once(signal, onSignal);
  try {
    const kept = mode ?? target.mode;
    const descriptor = openSync(temporary, 'wx', kept === undefined ? 0o666 : 0o600);
    try {
      for await (const chunk of content) appendFileSync(descriptor, chunk);
      if (kept !== undefined) fchmodSync(descriptor, kept);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, target.path);
  } catch (error) {
    remove();
    failToWrite(file, error);
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

function writeTargetOf(file: string, { inputs = [], kind, force = false }: OutputOptions): WriteTarget {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (!found) {
    if (kind) requireExtension(file, kind);
    if (lstatSync(file, { throwIfNoEntry: false })) {
      throw new UserError(`${file} cannot be written: it is a link to a file that does not exist.`);
    }
    const path = resolve(file);
    accessSync(dirname(path), W_OK);
    return { path, mode: undefined };
  }
  if (found.isDirectory()) throw new UserError(`${file} cannot be written: it is a folder.`);
  if (found.isFile() && inputs.some((input) => isSameFile(found, fileStats(input)))) {
    throw new UserError(`${file} cannot be written: this command reads it. Name another file.`);
  }
  accessSync(file, W_OK);
  // A device such as /dev/stdout: other output there must stay.
  const open = [process.stdout, process.stderr].find(({ fd }) => isSameFile(found, fileStats(fd)));
  if (open) return { stream: () => open };
  if (!found.isFile()) return { stream: () => createWriteStream(file) };
  if (kind) {
    const isOfKind = requireExtension(file, kind);
    if (!force && found.size > 0n && !isOfKind(file)) {
      throw new UserError(
        `${file} is another kind of file, and is not replaced: name another one, or add --force.`,
      );
    }
  }
  // Keep a symbolic link.
  const path = realpathSync(file);
  accessSync(dirname(path), W_OK);
  return { path, mode: Number(found.mode) & PERMISSIONS };
}

function requireExtension(file: string, kind: OutputKind): OutputKind[string] {
  const isOfKind = kind[extname(file).toLowerCase()];
  if (!isOfKind) throw new UserError(`${file} must end in ${Object.keys(kind).join(' or ')}.`);
  return isOfKind;
}

/** Undefined for a missing file, which the reading reports, and for a closed descriptor. */
function fileStats(file: string | number): BigIntStats | undefined {
  try {
    return typeof file === 'string' ? statSync(file, { bigint: true }) : fstatSync(file, { bigint: true });
  } catch {
    return undefined;
  }
}

/** Detects the same file through another path, a symbolic link or a hard link. */
function isSameFile(one: BigIntStats, other: BigIntStats | undefined): boolean {
  return one.dev === other?.dev && one.ino === other.ino;
}

function explained<Result>(file: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    return failToWrite(file, error);
  }
}

/** @throws UserError for an error of the file system, without the name of the temporary file; any other error unchanged */
function failToWrite(file: string, error: unknown): never {
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (error instanceof UserError || syscall === undefined) throw error;
  throw new UserError(`${file} cannot be written: ${message.split(',')[0]}.`);
}
