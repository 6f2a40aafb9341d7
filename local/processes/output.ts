/**
 * The output of a child process, in a file. A child that writes to a pipe stops when this process does not read, and under load Bun
 * 1.4.5 sometimes stops reading a pipe (it does not renew its one-shot poll).
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LOG_BYTES_MAX = 10 * 1024 * 1024;
const LAST_LINES_MAX = 20;
// The part that is kept after the child's end.
const LAST_BYTES = 64 * 1024;
const NEWLINE = 10;

export class Output {
  /** For the child's standard output and error. */
  readonly file: number;
  /** The offset of this child's output in the file. */
  readonly start: number;
  /** The last bytes, once the file is closed. */
  #kept: { offset: number; bytes: Buffer } | undefined;

  /** @param logFile appended to; emptied first when it has grown large. Absent: a temporary file */
  constructor(logFile: string | undefined) {
    const path = logFile ?? join(tmpdir(), `ledger-output-${crypto.randomUUID()}`);
    this.file = openSync(path, 'a+', 0o600);
    if (logFile === undefined) rmSync(path);
    if (fstatSync(this.file).size > LOG_BYTES_MAX) ftruncateSync(this.file);
    this.start = fstatSync(this.file).size;
  }

  /** The lines from `offset` on, and the offset of the next one. A line that has no end yet is left for the next call. */
  linesFrom(offset: number): { lines: string[]; next: number } {
    const bytes = this.#kept?.bytes.subarray(Math.max(0, offset - this.#kept.offset)) ?? this.#read(offset);
    const length = this.#kept ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1;
    return { lines: linesOf(bytes.subarray(0, length)), next: offset + length };
  }

  lastLines(): string[] {
    return linesOf(this.#tail().bytes).slice(-LAST_LINES_MAX);
  }

  /** Closes the file once the child has ended. */
  close(): void {
    this.#kept = this.#tail();
    closeSync(this.file);
  }

  #tail(): { offset: number; bytes: Buffer } {
    if (this.#kept) return this.#kept;
    const offset = Math.max(this.start, fstatSync(this.file).size - LAST_BYTES);
    return { offset, bytes: this.#read(offset) };
  }

  #read(offset: number): Buffer {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(this.file).size - offset));
    return bytes.subarray(0, readSync(this.file, bytes, 0, bytes.length, offset));
  }
}

const linesOf = (bytes: Buffer) =>
  bytes
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '');
