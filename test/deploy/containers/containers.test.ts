/**
 * The image and compose.yaml in a real engine, under load: `bun run test:containers`. No acknowledged entry is missing or doubled, and
 * what an operator does by the book fails no request.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadOptions } from './load.ts';
import { compose, containersOf, docker, PASSWORD, query, shell, start, stop } from './stack.ts';
import { crash, loadOn, restartOneByOne, rollNewVersion } from './under-load.ts';

setDefaultTimeout(15 * 60_000);

const backupPage = readFileSync(join(import.meta.dir, '../../../docs/backup.md'), 'utf8');
let keys: LoadOptions['keys'] = [];
let load: ReturnType<typeof loadOn>;
beforeAll(async () => {
  keys = await start();
  load = loadOn(keys);
});
afterAll(stop);

describe('fails no request:', () => {
  test.each([
    ['gateways that restart one by one', 40, () => restartOneByOne('gateway')],
    ['workers that restart one by one', 40, () => restartOneByOne('ledger-worker')],
    ['Redis that restarts', 15, () => compose('restart', 'redis')],
    ['Postgres that restarts', 25, () => compose('restart', 'postgres')],
    ['a new version by deploy/roll.sh', 90, rollNewVersion],
  ])('%s', async (_, seconds, work) => {
    expect((await load.during(seconds, work)).failures).toEqual([]);
  });
});

describe('fails one request per connection of the process at most:', () => {
  test.each([
    ['a gateway that is killed', 'gateway', 64],
    ['a worker that is killed', 'ledger-worker', 0],
    ['Redis that is killed', 'redis', 0],
    ['Postgres that is killed', 'postgres', 0],
  ])('%s', async (_, service, failuresMax) => {
    const { failures } = await load.during(25, () => crash(service));
    expect(failures.length).toBeLessThanOrEqual(failuresMax);
    await compose('up', '--detach', '--no-recreate', '--wait');
  });
});

describe('fails requests for 2 s at most, without a response:', () => {
  test.each([
    ['the proxy that restarts', () => compose('restart', 'proxy')],
    ['the proxy that is killed', () => crash('proxy')],
  ])('%s', async (_, work) => {
    const { failures } = await load.during(20, work);
    expect(failures.filter(({ status }) => typeof status === 'number')).toEqual([]);
    const moments = failures.map(({ afterMs }) => afterMs);
    console.log(`  without a proxy for ${Math.max(...moments) - Math.min(...moments)} ms`);
    expect(Math.max(...moments) - Math.min(...moments)).toBeLessThan(2_000);
  });
});

test('every entry that was acknowledged is stored once', () => load.expectEachEntryOnce());

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
  expect((await load.during(5, async () => {})).failures).toEqual([]);
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
