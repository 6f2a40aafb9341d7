/**
 * The image and compose.yaml in a real engine, under load: `bun run test:containers`. No acknowledged entry is missing or doubled, and
 * what an operator does by the book fails no request.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadOptions, LoadReport } from './load.ts';
import { compose, containersOf, docker, loadDuring, PASSWORD, query, shell, start, stop } from './stack.ts';

setDefaultTimeout(15 * 60_000);

const backupPage = readFileSync(join(import.meta.dir, '../../../docs/backup.md'), 'utf8');
let keys: LoadOptions['keys'] = [];
const acknowledged = new Set<string>();
beforeAll(async () => {
  keys = await start();
});
afterAll(stop);

async function underLoad(seconds: number, work: () => Promise<unknown>): Promise<LoadReport> {
  const report = await loadDuring(keys, seconds, work);
  for (const reference of report.acknowledged) acknowledged.add(reference);
  const { requests, failures, slowestMs } = report;
  console.log(`  ${requests} requests, ${failures.length} failed, slowest ${slowestMs} ms`);
  expect(requests).toBeGreaterThan(seconds * 20);
  return report;
}

/** As a process ends that crashes: an engine does not start again what was stopped by its own command. */
const crash = async (service: string) => {
  const [id = ''] = await containersOf(service);
  await shell(`kill -9 $(docker inspect --format '{{.State.Pid}}' ${id})`);
};

async function oneByOne(service: string, action: string): Promise<void> {
  for (const id of await containersOf(service)) {
    await docker(...action.split(' '), id);
    await compose('up', '--detach', '--no-recreate', '--wait', service);
  }
}

describe('fails no request:', () => {
  test.each([
    ['gateways that restart one by one', 40, () => oneByOne('gateway', 'restart')],
    ['workers that restart one by one', 40, () => oneByOne('ledger-worker', 'restart')],
    ['Redis that restarts', 15, () => compose('restart', 'redis')],
    ['Postgres that restarts', 25, () => compose('restart', 'postgres')],
    ['a new version by deploy/roll.sh', 90, () => shell('deploy/roll.sh')],
  ])('%s', async (_, seconds, work) => {
    expect((await underLoad(seconds, work)).failures).toEqual([]);
  });
});

describe('fails one request per connection of the process at most:', () => {
  test.each([
    ['a gateway that is killed', 'gateway', 64],
    ['a worker that is killed', 'ledger-worker', 0],
    ['Redis that is killed', 'redis', 0],
    ['Postgres that is killed', 'postgres', 0],
  ])('%s', async (_, service, failuresMax) => {
    const { failures } = await underLoad(25, () => crash(service));
    expect(failures.length).toBeLessThanOrEqual(failuresMax);
    await compose('up', '--detach', '--no-recreate', '--wait');
  });
});

test('every entry that was acknowledged is stored once', async () => {
  expect(acknowledged.size).toBeGreaterThan(1_000);
  const stored = await query('select external_ref from ledger.entry where external_ref is not null');
  expect(new Set(stored).size).toBe(stored.length);
  const missing = [...acknowledged.difference(new Set(stored))];
  expect(missing).toEqual([]);
});

test('a dump is restored by the commands of docs/backup.md, with each entry and each key', async () => {
  const [dump = '', restore = ''] =
    backupPage.split('## In containers')[1]?.match(/(?<=```\n)docker[^`]*(?=```)/g) ?? [];
  const entries = () => query('select entry_id from ledger.entry order by entry_id');
  const before = await entries();
  const written = (await shell(`${dump}\ndeploy/backup.sh "$(mktemp --directory)"`)).trim();
  // By the commands of the page, the dump of the nightly job.
  await shell(`mv ${written} ledger.dump\n${restore}\nrm ledger.dump`);
  expect(before.length).toBeGreaterThan(1_000);
  expect(await entries()).toEqual(before);
  expect((await underLoad(5, async () => {})).failures).toEqual([]);
});

describe('each container', () => {
  const SERVICES = ['proxy', 'gateway', 'ledger-worker', 'postgres', 'redis'];
  const inspected = async (service: string) => {
    const [id = ''] = await containersOf(service);
    const text = await docker('inspect', id);
    return { id, text, ...JSON.parse(text)[0] };
  };

  test.each(SERVICES)(
    'of %s has a root that is read-only, no capabilities, and a bound of memory',
    async (service) => {
      const { HostConfig } = await inspected(service);
      expect(HostConfig).toMatchObject({
        ReadonlyRootfs: true,
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges:true'],
      });
      expect(HostConfig.Memory).toBeGreaterThan(0);
    },
  );

  test.each(SERVICES)('of %s has the password neither in its settings nor in its log', async (service) => {
    const { id, text } = await inspected(service);
    expect(text).not.toContain(PASSWORD);
    expect(await shell(`docker logs ${id} 2>&1`)).not.toContain(PASSWORD);
    for (const { key } of keys) expect(await shell(`docker logs ${id} 2>&1`)).not.toContain(key);
  });
});
