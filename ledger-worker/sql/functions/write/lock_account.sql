-- Locks an account until the transaction ends. This makes its writes serial, so that dedupe, cap and counters are exact.
--
-- In: the account. If another transaction holds it, p_wait says whether to wait or to give up. Out: whether it is locked, and its plan.
-- There may be no such account: then the plan is null.
--
-- Locks: the row of ledger.account, for no key update.
create or replace function ledger.lock_account(
  p_account_id  uuid,
  p_wait        boolean,
  out is_locked boolean,
  out plan      text
)
language plpgsql
as $$
#variable_conflict use_variable
begin
  -- On distributed books the lock of a row does not keep the shard from moving to another node, where the row is not locked. A
  -- change does, even of no row.
  delete from ledger.idempotency_key where account_id = p_account_id and idempotency_key is null;
  if p_wait then
    select a.plan into plan from ledger.account a where a.account_id = p_account_id for no key update;
    is_locked := true;
  else
    select a.plan into plan from ledger.account a where a.account_id = p_account_id for no key update skip locked;
    is_locked := found;
  end if;
end
$$;
