/** The accounts of the measured books, and the order in which requests use them. */
import { mintApiKey } from '../../ledger-worker/admin/mint-key.ts';
import { hashApiKey } from '../../proto/api-key.ts';
import { SOURCE_TYPE } from './entries.ts';
import type { Sql } from './sql.ts';

/** An account by one of its keys. */
export interface Account {
  accountId: string;
  sourceId: string;
  key: string;
  /** SHA-256, in hexadecimal. */
  keyHash: string;
}

/** One account by each of its keys. */
export type Keyring = [Account, ...Account[]];

/** The first accounts are read from, and the very first are used most. */
export const READ_ACCOUNTS = 1_000;
const HOT_ACCOUNTS = 20;
// Enough keys to stay below the rate limit of each.
const KEYS_READ = 4;
const KEYS_HOT = 40;

export function newAccounts(count: number): Keyring[] {
  return Array.from({ length: count }, (_, index) => {
    const ids = { accountId: Bun.randomUUIDv7(), sourceId: Bun.randomUUIDv7() };
    const account = (): Account => {
      const key = mintApiKey('ledger');
      return { ...ids, key, keyHash: hashApiKey(key).toString('hex') };
    };
    const keys = index < HOT_ACCOUNTS ? KEYS_HOT : index < READ_ACCOUNTS ? KEYS_READ : 1;
    return [account(), ...Array.from({ length: keys - 1 }, account)];
  });
}

/** Inserts accounts with API access directly into the database, each with one source. */
export async function storeAccounts(sql: Sql, accounts: readonly Keyring[]): Promise<void> {
  const ids = accounts.map(([{ accountId }]) => accountId);
  const sourceIds = accounts.map(([{ sourceId }]) => sourceId);
  const keys = accounts.flat();
  await sql`
    insert into ledger.account (account_id, plan) select id, 'pro' from unnest(${ids}::uuid[]) as sent (id)`;
  await sql`
    insert into ledger.source (account_id, source_id, type, name, role, share_percent)
    select account_id, source_id, ${SOURCE_TYPE}, 'Flat 2, 14 Mill Lane', 'owner', 100
      from unnest(${ids}::uuid[], ${sourceIds}::uuid[]) as sent (account_id, source_id)`;
  const keyIds = keys.map(() => Bun.randomUUIDv7());
  for (const table of ['api_key', 'account_of_key']) {
    await sql`
      insert into ledger.${sql(table)} (account_id, key_id, key_hash)
      select account_id, key_id, decode(hash, 'hex')
        from unnest(${keys.map(({ accountId }) => accountId)}::uuid[], ${keyIds}::uuid[],
                    ${keys.map(({ keyHash }) => keyHash)}::text[]) as sent (account_id, key_id, hash)`;
  }
}

/** Returns the accounts one after the other in a random order, so that none reaches its limits. */
export function rotation<Key>(accounts: readonly (readonly Key[])[]): () => Key {
  const order = shuffled(accounts);
  let next = 0;
  return () => {
    const n = next++;
    const keys = order[n % order.length] as readonly Key[];
    return keys[Math.floor(n / order.length) % keys.length] as Key;
  };
}

// A tenth of all requests goes to the first of 10,000 accounts.
const ZIPF_EXPONENT = 1;
// Two sides use the same key within a minute, and the workload before may have used it too.
const USES_PER_KEY_MAX = 50;

/** Returns few accounts often and many rarely. An account near its limits is replaced by the next one. */
export function skewed(accounts: readonly Keyring[]): () => Account {
  let sum = 0;
  const cumulative = Float64Array.from(accounts, (_, rank) => (sum += 1 / (rank + 1) ** ZIPF_EXPONENT));
  const uses = new Uint32Array(accounts.length);
  return () => {
    let rank = firstAbove(cumulative, Math.random() * sum);
    for (;;) {
      const keys = accounts[rank] as Keyring;
      const use = uses[rank] ?? 0;
      uses[rank] = use + 1;
      if (use < keys.length * USES_PER_KEY_MAX) return keys[use % keys.length] as Account;
      rank = (rank + 1) % accounts.length;
    }
  };
}

/** The index of the first of the ascending values that is above `value`. */
function firstAbove(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item);
}
