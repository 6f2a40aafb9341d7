/** The API keys of an account. */
import { ALPHABET, checksum, hashApiKey, SECRET_LENGTH } from '../../proto/api-key.ts';
import type { Key } from '../../proto/contract.ts';
import type { Sql } from '../database/connection.ts';
import { requireUuid } from '../input.ts';
import { requireAccount } from './accounts.ts';
import { type AdminRpcs, message, newId, requireRow } from './rpc.ts';

const columns = (sql: Sql) => sql`
  key_id as "keyId", account_id as "accountId", created_at as "createdAt", revoked_at as "revokedAt",
  read_only as "readOnly"`;

/** @param prefix of new keys */
export const keyRpcs = (prefix: string): AdminRpcs<'createKey' | 'revokeKey' | 'listKeys'> => ({
  /** Only this response contains the key. Locks out a concurrent deletion of the account, which must see the key. */
  async createKey(sql, { accountId, readOnly }, context) {
    const key = mintApiKey(prefix);
    const rows = await sql<{ keyId: string | null }[]>`
      select ledger.create_key(
        ${requireUuid('account', accountId)}, ${newId()}, ${context.actor()}, ${newId()}, ${hashApiKey(key)},
        ${readOnly}) as "keyId"`;
    const created = rows.filter(({ keyId }) => keyId !== null);
    return { ...requireRow<{ keyId: string }>(created, 'account', accountId), key, readOnly };
  },

  /**
   * Takes the account's lock, so that no write with the key commits after this returns. Revoking it again changes nothing. A key that
   * was stopped by its account's deletion stays revoked when the account is restored.
   */
  async revokeKey(sql, { keyId }, context) {
    const owners = await sql`
      select account_id as "accountId" from ledger.account_of_key where key_id = ${requireUuid('key', keyId)}`;
    const { accountId } = requireRow<{ accountId: string }>(owners, 'key', keyId);
    const rows = await sql`
      select ${columns(sql)} from ledger.revoke_key(${accountId}, ${newId()}, ${context.actor()}, ${keyId})`;
    return requireRow(rows, 'key', keyId);
  },

  async listKeys(sql, { accountId }) {
    await requireAccount(sql, accountId);
    const rows = await sql`
      select ${columns(sql)} from ledger.api_key where account_id = ${accountId} order by key_id`;
    return { keys: rows.map(message<Key>) };
  },
});

/** A new key. It is never stored: the caller keeps `hashApiKey(key)` and shows the key once. */
export function mintApiKey(prefix: string): string {
  const unsigned = `${prefix}_live_${randomBase62(SECRET_LENGTH)}`;
  return unsigned + checksum(unsigned);
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 is the largest multiple of 62 in a byte: taking more would favour the first letters.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}
