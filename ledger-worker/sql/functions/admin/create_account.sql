-- Creates an account, and logs it.
--
-- In: the new account; the action's id, and who requested it; the plan. Out: its row.
create or replace function ledger.create_account(p_account_id uuid, p_action_id uuid, p_actor text, p_plan text)
returns setof ledger.account
language plpgsql
as $$
begin
  return query insert into ledger.account (account_id, plan) values (p_account_id, p_plan) returning *;
  perform ledger.log_action(
    p_account_id, p_action_id, p_actor, 'account create', jsonb_build_object('plan', p_plan));
end
$$;
