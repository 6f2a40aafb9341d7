-- Deletes some rows of an account that is being erased. The action log stays.
--
-- In: the account, and the most rows for one call. Out: whether the account has no rows left.
--
-- Locks: the account's row, for update.
--
-- Runs with the rights of the owner: the role of the worker may not delete entries itself.
create or replace function ledger.erase_some(p_account_id uuid, p_rows integer) returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_table   text;
  v_left    integer := p_rows;
  v_deleted integer;
begin
  perform from ledger.account where account_id = p_account_id and erasing_at is not null for update;
  if not found then
    return true;
  end if;
  -- By account_id and ctid: if the tables are distributed, a ctid is known to the account's node only.
  foreach v_table in array array['entry', 'write_log', 'idempotency_key', 'api_key', 'seal', 'source'] loop
    execute format(
      'delete from ledger.%I
        where account_id = $1
          and ctid = any (array(select ctid from ledger.%1$I where account_id = $1 limit $2))',
      v_table)
      using p_account_id, v_left;
    get diagnostics v_deleted = row_count;
    v_left := v_left - v_deleted;
    if v_left = 0 then
      return false;
    end if;
  end loop;
  -- All at once: each node has a copy of this table, with ctids of its own. It has a row for each key of the account.
  delete from ledger.account_of_key where account_id = p_account_id;
  delete from ledger.account where account_id = p_account_id;
  return true;
end
$$;
