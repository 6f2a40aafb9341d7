-- Deletes p_rows rows at most of an account that is being erased. Returns whether nothing is left of it. The log of actions
-- stays. Each row is named by its account and by its place: where the tables are distributed, only the node of the account
-- knows the place.
--
-- With the rights of the owner: the worker's role deletes no entries but by this.
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
  -- No pass that forgets is under way meanwhile: it would delete the same rows, in another order.
  perform job, after_account from ledger.retention where job = 'forget' for update;
  foreach v_table in array array['entry', 'write_log', 'idempotency_key', 'api_key', 'source'] loop
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
  -- All at once: of a copy on each node, a place says nothing. They are as many as the account had keys.
  delete from ledger.account_of_key where account_id = p_account_id;
  delete from ledger.account where account_id = p_account_id;
  return true;
end
$$;
