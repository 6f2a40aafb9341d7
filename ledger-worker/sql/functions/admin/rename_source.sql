-- Renames a source, and logs it.
--
-- In: the account; the action's id, and who requested it; the source, and its name. Out: its row; no row if the account is deleted or
-- has no such source, or if the source was removed.
--
-- Locks: the account's row, for no key update; then the source's row.
create or replace function ledger.rename_source(
  p_account_id uuid,
  p_action_id  uuid,
  p_actor      text,
  p_source_id  uuid,
  p_name       text
)
returns setof ledger.source
language plpgsql
as $$
begin
  if (ledger.lock_account(p_account_id, true)).outcome <> 'locked' then
    return;
  end if;
  return query
    update ledger.source set name = p_name
     where account_id = p_account_id and source_id = p_source_id and removed_at is null
    returning *;
  if found then
    perform ledger.log_action(
      p_account_id, p_action_id, p_actor, 'source rename', jsonb_build_object('sourceId', p_source_id));
  end if;
end
$$;
