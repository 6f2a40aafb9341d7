/** A child process of the launcher: its log does not depend on the launcher, and its last lines are in the error of its end. */
import { expect, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildOptions, spawnChild } from '../../local/processes/child.ts';
import { temporaryDirectory } from '../fixtures/checkout.ts';

const directory = temporaryDirectory();

const shell = (script: string, options: Partial<ChildOptions> = {}) =>
  spawnChild({ name: 'the child', command: ['sh', '-c', script], env: process.env, ...options });

test('a child writes its whole log, on both outputs, while this process reads nothing', async () => {
  const logFile = join(directory, 'whole.log');
  // Far more than a pipe holds.
  const bytes = 4 * 1024 * 1024;
  const child = shell(`head -c ${bytes} /dev/zero | tr '\\0' x; echo; echo 'the last' >&2`, { logFile });
  for (const end = Date.now() + 10_000; statSync(logFile).size < bytes + 10 && Date.now() < end; )
    Bun.sleepSync(10);
  expect(readFileSync(logFile, 'utf8')).toBe(`${'x'.repeat(bytes)}\nthe last\n`);
  await child.completed(undefined);
});

test('a line is found in what the child has printed, before and after its end, with a log file and without', async () => {
  for (const logFile of [undefined, join(directory, 'lines.log')]) {
    const child = shell("printf 'fir'; sleep 0.1; printf 'st\\nsecond'", { logFile });
    expect(await child.line((line) => (line.startsWith('f') ? line : undefined))).toBe('first');
    expect(await child.line((line) => (line.startsWith('s') ? line : undefined))).toBe('second');
    await child.completed(undefined);
    expect(await child.line((line) => (line.startsWith('f') ? line : undefined))).toBe('first');
  }
});

test('the error of a failed child has its last 20 lines', async () => {
  const child = shell('for n in $(seq 1 30); do echo "line $n"; done; exit 3');
  const last = Array.from({ length: 20 }, (_, n) => `\n  line ${n + 11}`).join('');
  const message = `the child ended with exit code 3. Its last lines:${last}`;
  expect(await child.completed(undefined).catch((error) => error.message)).toBe(message);
  expect(await child.line(() => undefined).catch((error) => error.message)).toBe(message);
  expect((await child.died).message).toBe(message);
});
