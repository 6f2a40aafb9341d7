-- Removes a source, and logs it. To remove it again changes nothing, and is logged.
--
-- In: the account; the action's id, and who requested it; the source. Out: its row; no row if the account is deleted or has no such
-- source.
--
-- Locks: the account's row, for no key update. After it no write to the source is in progress.
create or replace function ledger.remove_source(p_account_id uuid, p_action_id uuid, p_actor text, p_source_id uuid)
returns setof ledger.source
language plpgsql
as $$
declare
  v_now timestamptz;
begin
  if (ledger.lock_account(p_account_id, true)).outcome <> 'locked' then
    return;
  end if;
  -- After the lock. Citus refuses a function of the time in an update.
  v_now := clock_timestamp();
  return query
    update ledger.source set removed_at = coalesce(removed_at, v_now)
     where account_id = p_account_id and source_id = p_source_id
    returning *;
  if found then
    perform ledger.log_action(
      p_account_id, p_action_id, p_actor, 'source remove', jsonb_build_object('sourceId', p_source_id));
  end if;
end
$$;
