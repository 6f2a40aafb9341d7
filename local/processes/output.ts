/**
 * What a child process prints. A file, and no pipe: a child that writes to a pipe stops when this process does not read, and under load
 * Bun 1.4.5 at times reads a pipe no further (it does not renew its one-shot poll).
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LOG_BYTES_MAX = 10 * 1024 * 1024;
const LAST_LINES_MAX = 20;
// What is kept of it after the child's end.
const LAST_BYTES = 64 * 1024;
const NEWLINE = 10;

export class Output {
  /** For the child's standard output and error. */
  readonly file: number;
  /** Where this child's output begins in the file. */
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

  /** The lines that begin at `offset`, and where the next one begins. A line that has no end yet is left for the next call. */
  linesFrom(offset: number): { lines: string[]; next: number } {
    const bytes = this.#bytesFrom(offset);
    const length = this.#kept ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1;
    const lines = bytes.subarray(0, length).toString().split('\n');
    return { lines: lines.filter((line) => line.trim() !== ''), next: offset + length };
  }

  lastLines(): string[] {
    const offset = Math.max(this.start, this.#size() - LAST_BYTES);
    return this.linesFrom(offset).lines.slice(-LAST_LINES_MAX);
  }

  /** Closes the file once the child has ended. */
  close(): void {
    const offset = Math.max(this.start, this.#size() - LAST_BYTES);
    this.#kept = { offset, bytes: this.#bytesFrom(offset) };
    closeSync(this.file);
  }

  #size(): number {
    return this.#kept ? this.#kept.offset + this.#kept.bytes.length : fstatSync(this.file).size;
  }

  #bytesFrom(offset: number): Buffer {
    if (this.#kept) return this.#kept.bytes.subarray(Math.max(0, offset - this.#kept.offset));
    const bytes = Buffer.alloc(Math.max(0, this.#size() - offset));
    return bytes.subarray(0, readSync(this.file, bytes, 0, bytes.length, offset));
  }
}
