/** How a process ends when nothing handles an error. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');

/** Runs `main` in a process that would otherwise not end. @returns its exit code, and its log without the times */
async function runProcess(main: string) {
  const script = `
    import { EventEmitter } from 'node:events';
    import postgres from 'postgres';
    import { createLog } from './platform/log.ts';
    import { run } from './platform/process.ts';
    const log = createLog('a test');
    run(async () => {
      log.info('before');
      ${main}
      await Bun.sleep(60_000);
    }, log);`;
  const child = Bun.spawn([process.execPath, '-e', script], { cwd: ROOT, stdout: 'pipe', stderr: 'pipe' });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { exitCode: await child.exited, output, errors, lines };
}

test.each([
  ['an exception in a timer', "setTimeout(() => { throw new TypeError('unforeseen'); }, 10);"],
  [
    "an 'error' event without a listener",
    "setTimeout(() => new EventEmitter().emit('error', new TypeError('unforeseen')), 10);",
  ],
  ['a rejected promise', "void Promise.reject(new TypeError('unforeseen'));"],
])('%s ends the process after one fatal line with the stack', async (_, main) => {
  const { exitCode, errors, lines } = await runProcess(main);
  expect({ exitCode, errors }).toEqual({ exitCode: 1, errors: '' });
  expect(lines).toMatchObject([
    { level: 30, msg: 'before' },
    { level: 60, msg: 'unexpected error', err: { name: 'TypeError', message: 'unforeseen' } },
  ]);
  expect(lines[1].err.stack).toMatch(/^TypeError: unforeseen\n +at .*:\d+/);
});

test('only the first of several errors is logged', async () => {
  const { exitCode, lines } = await runProcess(
    "for (const n of [1, 2, 3]) setTimeout(() => { throw new Error('number ' + n); });",
  );
  expect(exitCode).toBe(1);
  expect(lines.map(({ err }) => err?.message)).toEqual([undefined, 'number 1']);
});

test.each([
  [
    'of the database',
    "new postgres.PostgresError({ message: 'broken', detail: 'Failing row contains (secret).', where: 'secret' })",
  ],
  [
    'of a statement',
    "Object.defineProperties(new Error('broken'), { parameters: { value: ['secret'] }, query: { value: 'secret' } })",
  ],
  ['of Redis', "Object.assign(new Error('broken'), { command: { name: 'evalsha', args: ['secret'] } })"],
  ['with a cause', "new Error('broken', { cause: new Error('secret') })"],
  ['with several errors', "new AggregateError([new Error('secret')], 'broken')"],
  ['that is no Error', "{ description: 'secret' }"],
  ['that is text', "'secret'"],
])('no value is logged with an error %s', async (_, error) => {
  const { exitCode, output, errors, lines } = await runProcess(`void Promise.reject(${error});`);
  expect(exitCode).toBe(1);
  expect(lines[1].err.message).toMatch(/broken|a value of type/);
  expect(output + errors).not.toContain('secret');
});
