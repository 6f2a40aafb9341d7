/** The node of an account: by the hash that Postgres computes, and by the ranges that Citus has. */
import { expect, test } from 'bun:test';
import { hashOf, ShardMap } from '../../../ledger-worker/citus/shard-map.ts';
import { sql } from '../../fixtures/system.ts';

test('the hash of a uuid is the one of Postgres', async () => {
  const ids = [
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ...Array.from({ length: 2_000 }, () => crypto.randomUUID()),
    ...Array.from({ length: 2_000 }, () => Bun.randomUUIDv7()),
  ];
  const rows = await sql<{ hash: number }[]>`
    select uuid_hash(id) as hash from unnest(${`{${ids}}`}::uuid[]) with ordinality as given (id, n) order by n`;
  expect(ids.map(hashOf)).toEqual(rows.map(({ hash }) => hash));
  expect(hashOf(ids[5]?.toUpperCase() ?? '')).toBe(rows[5]?.hash as number);
});

test('a shard has the hashes from its lowest one to the one before the lowest of the next shard', () => {
  expect([...new ShardMap('0 7,-2147483648 3,1000000000 5').groups()].sort()).toEqual([3, 5, 7]);
  for (const id of Array.from({ length: 200 }, () => crypto.randomUUID())) {
    const hash = hashOf(id);
    const at = (lowest: number) => new ShardMap(`${lowest} 2,-2147483648 1,2147483647 3`).groupOf(id);
    expect([hash, at(hash), at(hash + 1), at(hash - 1)]).toEqual([hash, 2, 1, 2]);
  }
});
