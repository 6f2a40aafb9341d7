/** The map from accounts to nodes of a Citus cluster, by the hash of the account's id. */

export class ShardMap {
  /** The lowest hash of each shard, ascending, and the group of the node that has the shard. */
  readonly #shards: { lowest: number; groupId: number }[];

  /** @param text `lowest groupId` of each shard, separated by commas */
  constructor(text: string) {
    this.#shards = text
      .split(',')
      .map((shard) => {
        const [lowest, groupId] = shard.split(' ').map(Number) as [number, number];
        return { lowest, groupId };
      })
      .sort((a, b) => a.lowest - b.lowest);
  }

  /** The group of the node that has the account's shard. */
  groupOf(accountId: string): number {
    const hash = hashOf(accountId);
    let [low, high] = [0, this.#shards.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#shards[middle]?.lowest ?? 0) <= hash) low = middle;
      else high = middle - 1;
    }
    return this.#shards[low]?.groupId as number;
  }

  /** The groups that have shards. */
  groups(): Set<number> {
    return new Set(this.#shards.map(({ groupId }) => groupId));
  }
}

/** Postgres' uuid_hash, by which Citus distributes: lookup3 of Bob Jenkins over 16 bytes, as on a little-endian machine. */
export function hashOf(uuid: string): number {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  const start = (0x9e3779b9 + 16 + 3923095) | 0;
  let a = (start + bytes.readInt32LE(0)) | 0;
  let b = (start + bytes.readInt32LE(4)) | 0;
  let c = (start + bytes.readInt32LE(8)) | 0;
  // mix(a, b, c)
  a = ((a - c) | 0) ^ rotated(c, 4);
  c = (c + b) | 0;
  b = ((b - a) | 0) ^ rotated(a, 6);
  a = (a + c) | 0;
  c = ((c - b) | 0) ^ rotated(b, 8);
  b = (b + a) | 0;
  a = ((a - c) | 0) ^ rotated(c, 16);
  c = (c + b) | 0;
  b = ((b - a) | 0) ^ rotated(a, 19);
  a = (a + c) | 0;
  c = ((c - b) | 0) ^ rotated(b, 4);
  b = (b + a) | 0;
  a = (a + bytes.readInt32LE(12)) | 0;
  // final(a, b, c)
  c = ((c ^ b) - rotated(b, 14)) | 0;
  a = ((a ^ c) - rotated(c, 11)) | 0;
  b = ((b ^ a) - rotated(a, 25)) | 0;
  c = ((c ^ b) - rotated(b, 16)) | 0;
  a = ((a ^ c) - rotated(c, 4)) | 0;
  b = ((b ^ a) - rotated(a, 14)) | 0;
  return ((c ^ b) - rotated(b, 24)) | 0;
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
