/** How a process ends when nothing handles an error. */
import { expect, test } from 'bun:test';
import { constants } from 'node:os';
import { runToEnd } from '../fixtures/checkout.ts';

/** Runs `main` in a process that would otherwise not end. @returns its exit code, and its log without the times */
async function runProcess(main: string) {
  const script = `
    import { EventEmitter } from 'node:events';
    import { createLog } from './platform/log.ts';
    import { run, terminationSignal } from './platform/process.ts';
    const log = createLog('a test');
    run(async () => {
      log.info('before');
      ${main}
      await Bun.sleep(60_000);
    }, log);`;
  const outcome = await runToEnd([process.execPath, '-e', script]);
  const lines = outcome.out.trim().split('\n');
  return { ...outcome, lines: lines.map((line) => JSON.parse(line)) };
}

const UNFORESEEN = "new TypeError('unforeseen')";

test.each([
  [
    'an exception in a timer, the first of several,',
    `setTimeout(() => { throw ${UNFORESEEN}; }); for (const n of [2, 3]) setTimeout(() => { throw new Error(n); });`,
  ],
  [
    "an 'error' event without a listener",
    `setTimeout(() => new EventEmitter().emit('error', ${UNFORESEEN}), 10);`,
  ],
  ['a rejected promise', `void Promise.reject(${UNFORESEEN});`],
])('%s ends the process after one fatal line with the stack', async (_, main) => {
  const { exitCode, err, lines } = await runProcess(main);
  expect([exitCode, err]).toEqual([1, '']);
  expect(lines).toHaveLength(2);
  expect(lines).toMatchObject([
    { level: 30, msg: 'before' },
    { level: 60, msg: 'unexpected error', err: { name: 'TypeError', message: 'unforeseen' } },
  ]);
  expect(lines[1].err.stack).toMatch(/^TypeError: unforeseen\n +at .*:\d+/);
});

// Of the database, of a statement and of Redis, with a cause and with several errors.
const TALKATIVE = `Object.defineProperties(
  Object.assign(new AggregateError([new Error('secret')], 'broken', { cause: new Error('secret') }), {
    detail: 'Failing row contains (secret).', command: { name: 'evalsha', args: ['secret'] },
  }),
  { parameters: { value: ['secret'] }, query: { value: 'secret' } },
)`;

test.each(['SIGTERM', 'SIGINT'])(
  '%s during the start ends the process, also the first one of a container',
  async (signal) => {
    const { exitCode, lines } = await runProcess(`process.kill(process.pid, '${signal}');`);
    expect(exitCode).toBe(128 + constants.signals[signal as NodeJS.Signals]);
    expect(lines.map(({ msg }) => msg)).toEqual(['before', 'stopped during its start']);
  },
);

test('a signal after the start is for the process to handle', async () => {
  const main = `setTimeout(() => process.kill(process.pid, 'SIGTERM')); await terminationSignal(); log.info('drained'); return;`;
  const { exitCode, lines } = await runProcess(main);
  expect([exitCode, lines.map(({ msg }) => msg)]).toEqual([0, ['before', 'drained']]);
});

test.each([
  ['of a library', TALKATIVE],
  ['that is no Error', "{ description: 'secret' }"],
  ['that is text', "'secret'"],
])('no value is logged with an error %s', async (_, error) => {
  const { exitCode, out, err, lines } = await runProcess(`void Promise.reject(${error});`);
  expect(exitCode).toBe(1);
  expect(lines[1].err.message).toMatch(/broken|a value of type/);
  expect(out + err).not.toContain('secret');
});
