/** One Python interpreter for the tests of a run: it makes calls of the package, and runs programs. */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { PYTHON_ENV } from '../../fixtures/python.ts';
import { requireProgram } from '../programs.ts';

export const ENV = { PATH: process.env.PATH, ...PYTHON_ENV };

async function start() {
  await requireProgram('python3');
  // Nothing that Python warns of.
  const child = Bun.spawn(['python3', '-W', 'error', join(import.meta.dir, 'driver.py')], {
    env: ENV,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  // It ends with its input, which ends with this process.
  child.unref();
  const lines = createInterface({ input: Readable.fromWeb(child.stdout) })[Symbol.asyncIterator]();
  return { stdin: child.stdin, lines };
}

let interpreter: ReturnType<typeof start> | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs a step of driver.py, after the ones before it. @throws Error with the traceback of what the step raises */
export function inPython<Report>(step: object): Promise<Report> {
  const result = last.then(async () => {
    interpreter ??= start();
    const { stdin, lines } = await interpreter;
    stdin.write(`${JSON.stringify(step)}\n`);
    stdin.flush();
    const { value = '{"raised": "Python has ended."}' } = await lines.next();
    const report = JSON.parse(value);
    if (report.raised) throw new Error(report.raised);
    return report;
  });
  last = result.catch(() => {});
  return result;
}
