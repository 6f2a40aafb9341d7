-- Logs an action of the Admin service, in the transaction of the change. The change calls it last: the action is dated after the lock.
-- The commit waits for the disk, as it does for a write (ledger.lock_account).
--
-- In: the account; the action's id; who requested it; the command of the command line; the changes.
create or replace function ledger.log_action(
  p_account_id uuid,
  p_action_id  uuid,
  p_actor      text,
  p_action     text,
  p_details    jsonb
)
returns void
language plpgsql
as $$
begin
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  insert into ledger.admin_action (account_id, action_id, actor, action, details)
  values (p_account_id, p_action_id, p_actor, p_action, p_details);
end
$$;
