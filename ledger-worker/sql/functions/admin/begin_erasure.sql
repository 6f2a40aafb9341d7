-- Begins to erase a deleted account, and logs it: from now on it cannot be restored. ledger.erase_some deletes its rows.
--
-- In: the account; the action's id, and who requested it. Out: the account, and the number of its entries; no row if it is not deleted.
--
-- Locks: the account's row, for no key update.
create or replace function ledger.begin_erasure(p_account_id uuid, p_action_id uuid, p_actor text)
returns table (account_id uuid, entries bigint)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_now     timestamptz;
  v_entries bigint;
begin
  perform ledger.lock_account(p_account_id, true);
  -- After the lock. Citus refuses a function of the time in an update.
  v_now := clock_timestamp();
  update ledger.account set erasing_at = coalesce(erasing_at, v_now)
   where account_id = p_account_id and deleted_at is not null;
  if not found then
    return;
  end if;
  select coalesce(sum(transaction_count), 0) into v_entries from ledger.source where account_id = p_account_id;
  perform ledger.log_action(
    p_account_id, p_action_id, p_actor, 'account erase', jsonb_build_object('entries', v_entries));
  return query values (p_account_id, v_entries);
end
$$;
