-- Sets the plan of an account, and logs it.
--
-- In: the account; the action's id, and who requested it; the plan. Out: the account's row; no row if there is no such account, or it
-- is deleted.
--
-- Locks: the account's row, for no key update. After it no write that depends on the former plan is in progress.
create or replace function ledger.set_plan(p_account_id uuid, p_action_id uuid, p_actor text, p_plan text)
returns setof ledger.account
language plpgsql
as $$
declare
  v_before text := (ledger.lock_account(p_account_id, true)).plan;
begin
  if v_before is null then
    return;
  end if;
  return query update ledger.account set plan = p_plan where account_id = p_account_id returning *;
  perform ledger.log_action(
    p_account_id, p_action_id, p_actor, 'account set-plan', jsonb_build_object('plan', p_plan, 'before', v_before));
end
$$;
