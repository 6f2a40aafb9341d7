-- The plan of the account that a key belongs to. No row if the key is unknown or revoked, or belongs to another account.
--
-- For statements of several accounts: Postgres plans it as a part of the statement. ledger.access_of_key returns the same for one
-- account by statements of one table, which Citus keeps plans of.
--
-- The account is not the first parameter: on distributed books it would be executed on the account’s node, and a lateral call of such a
-- function crashes the server.
--
-- Locks: none.
create or replace function ledger.plan_of_key(p_key_hash bytea, p_account_id uuid)
returns table (plan text)
language sql stable rows 1
as $$
  select a.plan
    from ledger.api_key k
    join ledger.account a on a.account_id = k.account_id
   where k.account_id = p_account_id and k.key_hash = p_key_hash and k.revoked_at is null
  -- Planned by itself: a join with the tables of the caller can begin without the account.
  offset 0
$$;
