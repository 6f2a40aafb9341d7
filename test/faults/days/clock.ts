/**
 * The clock of a process, which a test sets while the process runs. libfaketime (Debian: libfaketime) adds an offset to the real time, and
 * reads it from a file at each call. The monotonic clock stays real.
 */

import { test } from 'bun:test';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARY = [
  ...new Bun.Glob('*/faketime/libfaketimeMT.so.1').scanSync({ cwd: '/usr/lib', absolute: true }),
][0];

/** `test`, skipped where libfaketime is missing: then the run names it. */
export const dayTest = test.skipIf(LIBRARY === undefined);
export const canSetClocks = LIBRARY !== undefined;

export class Clock {
  /** Starts a program with this clock. */
  readonly wrapper: readonly string[];
  readonly #file: string;
  #offsetMs = 0;

  /** @param directory that the program's user may read */
  constructor(directory: string, name: string) {
    this.#file = join(directory, `${name}.clock`);
    this.add(0);
    this.wrapper = [
      'env',
      // Redis is linked with jemalloc, which reads the clock before libfaketime is ready.
      `LD_PRELOAD=${LIBRARY} libc.so.6`,
      `FAKETIME_TIMESTAMP_FILE=${this.#file}`,
      'FAKETIME_NO_CACHE=1',
      'FAKETIME_DONT_FAKE_MONOTONIC=1',
    ];
  }

  /** Removes the shared memory that libfaketime leaves: another user's process of the same id could not start. */
  static cleanUp(pid: number): void {
    for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`])
      rmSync(join('/dev/shm', name), { force: true });
  }

  /** ms since the epoch. */
  now(): number {
    return Date.now() + this.#offsetMs;
  }

  set(ms: number): void {
    this.add(ms - this.now());
  }

  /** Sets it forward; a negative number: back. */
  add(ms: number): void {
    this.#offsetMs += ms;
    const sign = this.#offsetMs < 0 ? '-' : '+';
    // Replaced at once: a process that reads half a file ends.
    writeFileSync(`${this.#file}.new`, `${sign}${Math.abs(this.#offsetMs) / 1000}\n`, { mode: 0o644 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}
