-- Called by the trigger action_stays of ledger.admin_action: fails with restrict_violation.
create or replace function ledger.refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception 'the log of actions is only added to' using errcode = 'restrict_violation';
end
$$;
