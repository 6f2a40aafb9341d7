/** Processes of each other language for the tests of a run: they make calls of the library, or run programs. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { PYTHON_ENV } from '../../fixtures/python.ts';
import { requireProgram } from '../programs.ts';

export const ENV = { PATH: process.env.PATH, ...PYTHON_ENV };

type Run = <Report>(step: object) => Promise<Report>;

/** Runs a step of driver.py. @throws Error with the traceback of what the step raises */
export const inPython = steps(async () => {
  await requireProgram('python3');
  // Nothing that Python warns of.
  return ['python3', '-W', 'error', join(import.meta.dir, 'driver.py')];
});

/** @returns the lines that a program prints: it has `ledger`, a client of the service at `url` with the key `SECRET` */
export async function printed(url: string, text: string): Promise<string[]> {
  const start = `
import os, sys, traceback
from datetime import date, datetime
from decimal import Decimal
from bookkeeping_ledger import Ledger, LedgerError, PushError, pence
ledger = Ledger(os.environ["LEDGER_URL"], "SECRET")
entry = {"date": "2026-04-06", "type": "income", "amountPence": 1, "externalRef": "a"}
def tell(call, shown=str):
    try:
        call()
    except (LedgerError, TypeError, ValueError) as error:
        print(shown(error))
`;
  return (await inPython<{ out: string }>({ url, program: start + text })).out.trim().split('\n');
}

/** The same for a call in Node. */
export const inNode = steps(async () => {
  await requireProgram('node');
  const outdir = mkdtempSync(join(tmpdir(), 'ledger-node-'));
  const entrypoints = [join(import.meta.dir, 'node-driver.ts')];
  await Bun.build({ entrypoints, outdir, naming: 'driver.mjs', target: 'node' });
  return ['node', join(outdir, 'driver.mjs')];
});

/** @param command of a process that takes steps and writes their reports as lines of JSON: as many run as there are steps at once */
function steps(command: () => Promise<string[]>): Run {
  const idle: ReturnType<typeof start>[] = [];
  let made: Promise<string[]> | undefined;
  return async <Report>(step: object) => {
    made ??= command();
    const process = idle.pop() ?? start(await made);
    const { stdin, lines } = process;
    stdin.write(`${JSON.stringify(step)}\n`);
    stdin.flush();
    const { value } = await lines.next();
    if (value === undefined) throw new Error('The process has ended.');
    idle.push(process);
    const report = JSON.parse(value);
    if (report.raised) throw new Error(report.raised);
    return report as Report;
  };
}

function start(command: string[]) {
  const child = Bun.spawn(command, { env: ENV, stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' });
  // It ends with its input, which ends with this process.
  child.unref();
  const lines = createInterface({ input: Readable.fromWeb(child.stdout) })[Symbol.asyncIterator]();
  return { stdin: child.stdin, lines };
}
