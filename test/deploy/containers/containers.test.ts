/**
 * The image and compose.yaml in a real engine, under load: `bun run test:containers`. No acknowledged entry is missing or doubled, and
 * what an operator does by the book fails no request.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { read } from '../../fixtures/checkout.ts';
import {
  compose,
  containersOf,
  crash,
  docker,
  PASSWORD,
  query,
  rollNewVersion,
  shell,
  start,
  stop,
} from './stack.ts';

setDefaultTimeout(15 * 60_000);

const backupPage = read('docs/backup.md');
let load: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  load = await start();
});
afterAll(stop);

async function restartOneByOne(service: string): Promise<void> {
  for (const id of await containersOf(service)) {
    await docker('restart', id);
    await compose('up', '--detach', '--no-recreate', '--wait', service);
  }
}

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

test.each(['proxy', 'gateway', 'ledger-worker', 'postgres', 'redis'])(
  'the container of %s has the password and the keys neither in its settings nor in its log',
  async (service) => {
    const [id = ''] = await containersOf(service);
    const text = (await docker('inspect', id)) + (await shell(`docker logs ${id} 2>&1`));
    for (const secret of [PASSWORD, ...load.keys.map(({ key }) => key)]) expect(text).not.toContain(secret);
  },
);
