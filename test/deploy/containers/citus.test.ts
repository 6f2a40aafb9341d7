/**
 * compose.yaml with deploy/compose.citus.yaml in a real engine, under load: part of `bun run test:containers`, if the engine has the image of Citus
 * or can pull it. No acknowledged entry is missing or doubled, and no request fails.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { DISTRIBUTED } from '../compose-files.ts';
import { compose, crash, hasImage, query, rollNewVersion, start, stop } from './stack.ts';

setDefaultTimeout(15 * 60_000);

/** A node that has the rows of an account with load. */
async function usedNode(): Promise<string> {
  const [account] = await query('select account_id from ledger.account limit 1');
  const [node = ''] = await query(
    `select nodename from pg_dist_shard_placement
      where shardid = get_shard_id_for_distribution_column('ledger.account', '${account}'::uuid)`,
  );
  return node;
}

const hasCitus = hasImage(DISTRIBUTED.services['node-1'].image);

describe.skipIf(!hasCitus)('a distributed database', () => {
  let load: Awaited<ReturnType<typeof start>>;
  // Hooks run even if every test is skipped.
  if (hasCitus) {
    beforeAll(async () => {
      load = await start('compose.yaml:deploy/compose.citus.yaml');
    });
    afterAll(stop);
  }

  test('has the accounts on its nodes, and none on the coordinator', async () => {
    expect(await usedNode()).toStartWith('node-');
  });

  test.each([
    ['a node that restarts', 25, async () => compose('restart', await usedNode())],
    ['a node that is killed', 25, async () => crash(await usedNode())],
    ['a coordinator that restarts', 25, () => compose('restart', 'postgres')],
    ['a coordinator that is killed', 25, () => crash('postgres')],
    ['a new version by deploy/roll.sh', 120, rollNewVersion],
  ])('fails no request: %s', async (_, seconds, work) => {
    expect((await load.during(seconds, work)).failures).toEqual([]);
    await compose('up', '--detach', '--no-recreate', '--wait');
  });

  test('has every entry that was acknowledged once', () => load.expectEachEntryOnce());
});
