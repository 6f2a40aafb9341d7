/** compose.yaml, alone and with compose.citus.yaml, as Docker Compose itself reads them. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeProgram, run } from './compose-program.ts';

setDefaultTimeout(120_000);

const ROOT = join(import.meta.dir, '../..');
const compose = composeProgram();

/** The services, with what the files say of them. @throws Error as Compose refuses the files */
function servicesOf(
  files: readonly string[],
  ...options: string[]
): Record<string, { deploy: { replicas?: number } }> {
  const named = files.flatMap((file) => ['--file', file]);
  return JSON.parse(run([...compose, ...options, ...named, 'config', '--format', 'json'], ROOT)).services;
}

const PLAIN = ['gateway', 'ledger-worker', 'postgres', 'proxy', 'redis'];

test.each([
  [['compose.yaml'], PLAIN],
  [
    ['compose.yaml', 'compose.citus.yaml'],
    [...PLAIN, 'cluster', 'distribute', 'migrate', 'node-1', 'node-2'],
  ],
])('%p are accepted', (files, services) => {
  expect(Object.keys(servicesOf(files)).sort()).toEqual(services.toSorted());
});

test('GATEWAYS and LEDGER_WORKERS say how many there are; there are two of each without them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-env-'));
  try {
    const file = join(folder, 'env');
    writeFileSync(file, 'GATEWAYS=5\nLEDGER_WORKERS=3\n');
    const countsOf = (...options: string[]) => {
      const services = servicesOf(['compose.yaml'], ...options);
      return ['gateway', 'ledger-worker'].map((name) => services[name]?.deploy.replicas);
    };
    expect(countsOf()).toEqual([2, 2]);
    expect(countsOf('--env-file', file)).toEqual([5, 3]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
