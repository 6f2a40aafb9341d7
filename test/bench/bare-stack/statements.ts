/**
 * The statements of the bare stack. Writes are the worker's own statement. Reads are for one request, without what the
 * worker's functions do for the response.
 */
import { entryRow, WRITE, writeParameters } from '../../../ledger-worker/ledger/write.ts';
import type { NewEntry } from '../entries.ts';

/** What the key of the bare stack names. */
export interface Account {
  accountId: string;
  sourceId: string;
  /** SHA-256, in hexadecimal. */
  keyHash: string;
}

export const CREATE = WRITE;

// Longer than any lock wait.
const CALL = { signal: new AbortController().signal, remainingMs: () => 10_000 };

/** The parameters for one write in its own transaction. */
export function createParameters(
  account: Account,
  entries: readonly (NewEntry & { id: string })[],
): ReturnType<typeof writeParameters> {
  const write = {
    caller: { accountId: account.accountId, keyHash: Buffer.from(account.keyHash, 'hex') },
    sourceId: account.sourceId,
    entries: entries.map(entryRow),
    idempotency: null,
    call: CALL,
  };
  return writeParameters([write], true);
}

export const PAGE = `
  select entry_id as id, entry_date as date, type, amount_pence as "amountPence",
         category, description, external_ref as "externalRef"
    from ledger.entry
   where account_id = $1 and source_id = $3
     and exists (select from ledger.api_key where account_id = $1 and key_hash = $2 and revoked_at is null)
     and exists (select from ledger.source where account_id = $1 and source_id = $3 and removed_at is null)
   order by entry_date desc, entry_id desc
   limit $4`;

export function pageParameters({ accountId, keyHash, sourceId }: Account, limit: number): string[] {
  // One more than the page, to find out whether there is a next page.
  return [accountId, `\\x${keyHash}`, sourceId, String(limit + 1)];
}

export const AUTHENTICATE = `
  select account_id as "accountId", plan
    from ledger.api_key join ledger.account using (account_id)
   where key_hash = $1 and revoked_at is null`;
