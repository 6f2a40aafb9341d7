/** The units of deploy/systemd: systemd accepts them, they run programs that exist, and they stop later than a process drains. */
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installProgram } from '../../local/install-program.ts';
import { isThere, ROOT, runToEnd, temporaryDirectory } from '../fixtures/checkout.ts';
import { drainMs } from './processes.ts';

const UNITS = join(ROOT, 'deploy/systemd');
const names = readdirSync(UNITS);
const unit = (name: string) => readFileSync(join(UNITS, name), 'utf8');

test('systemd accepts the units', async () => {
  const folder = temporaryDirectory();
  if (Bun.which('systemd-analyze') === null) await installProgram('systemd', folder);
  // The programs are where the units of a real machine have them.
  for (const each of names) {
    const here = unit(each).replaceAll('/opt/bookkeeping-ledger', ROOT);
    writeFileSync(join(folder, each), here.replaceAll('/usr/local/bin/bun', process.execPath));
  }
  const files = names.map((name) => join(folder, name));
  const { exitCode, err } = await runToEnd(['systemd-analyze', 'verify', '--man=no', ...files]);
  const isOwn = (line: string) => [folder, ...names].some((name) => line.includes(name));
  expect([err.split('\n').filter(isOwn), exitCode]).toEqual([[], 0]);
});

test.each([
  ['ledger-gateway.service', 'gateway'],
  ['ledger-worker.service', 'ledger-worker'],
] as const)(
  '%s runs the process, starts it again for as long as it takes, and stops it later than it drains',
  (name, process) => {
    const [, program = ''] = /^ExecStart=\/usr\/local\/bin\/bun --no-env-file (.*)$/m.exec(unit(name)) ?? [];
    expect(program).toBe(`${process}/main.ts`);
    expect(isThere(program)).toBe(true);
    // Otherwise systemd leaves it stopped after five starts without Postgres.
    expect(unit(name)).toMatch(/^StartLimitIntervalSec=0$/m);
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit(name)) ?? [];
    expect(Number(seconds) * 1_000).toBeGreaterThan(drainMs(process, {}));
  },
);
