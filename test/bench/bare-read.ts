/**
 * The worker's reads as statements for a single request. The worker's own statements serve many requests at a time and
 * cost a little more for one. These are the upper bound for a Postgres session with one request at a time.
 */
import type { Account } from './accounts.ts';

const CALLER = `(
    select count(*) > 0 as found, coalesce(bool_or(p.api_access), false) as "apiAccess"
      from ledger.api_key
      join ledger.account using (account_id)
      join ledger.plan p using (plan)
     where account_id = $1 and key_hash = $2 and revoked_at is null
  )`;

const pageStatement = (condition: string) => `
  select caller.found, caller."apiAccess", source.found as "sourceFound", entry.*
    from ${CALLER} as caller,
         lateral (
           select exists (
             select from ledger.source
              where account_id = $1 and source_id = $3 and removed_at is null
           ) and caller."apiAccess" as found
         ) as source
    left join lateral (
      select entry_id as id, entry_date as date, type, amount_pence as "amountPence",
             category, description, external_ref as "externalRef"
        from ledger.entry
       where account_id = $1 and source_id = $3 and source.found ${condition}
       order by entry_date desc, entry_id desc
       limit $4
    ) as entry on true
   order by date desc, id desc`;

export const FIRST_PAGE = pageStatement('');
export const DEEP_PAGE = pageStatement('and (entry_date, entry_id) < ($5, $6)');

/** The first column of a page. */
export const FOUND = 't';

/** The last entry of the previous page. */
export interface Position {
  date: string;
  id: string;
}

export function pageParameters(account: Account, limit: number, after: Position | undefined): string[] {
  const { accountId, keyHash, sourceId } = account;
  // One more than the page, to find out whether there is a next page.
  const first = [accountId, `\\x${keyHash}`, sourceId, String(limit + 1)];
  return after === undefined ? first : [...first, after.date, after.id];
}

export const AUTHENTICATE = `
  select key.*
    from (values (true)) as one
    left join (
      select account_id as "accountId", plan, p.api_access as "apiAccess"
        from ledger.api_key
        join ledger.account using (account_id)
        join ledger.plan p using (plan)
       where key_hash = $1 and revoked_at is null
    ) as key on true`;
