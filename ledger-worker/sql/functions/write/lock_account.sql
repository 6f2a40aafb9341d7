-- Locks an account until the transaction ends. This makes its writes serial, so that dedupe, cap and counters are exact.
--
-- In: the account; p_wait: whether to wait if another transaction holds it. Out: its plan; null if there is no such account, if it is
-- deleted, or if it is not locked.
--
-- Locks: the row of ledger.account, for no key update.
create or replace function ledger.lock_account(p_account_id uuid, p_wait boolean) returns text
language plpgsql
as $$
declare
  v_account ledger.account;
begin
  -- With Citus the lock of a row does not keep the shard from moving to another node, where the row is not locked. A modifying
  -- statement does, even if it changes no row.
  if current_setting('citus.version', true) is not null then
    delete from ledger.idempotency_key where account_id = p_account_id and idempotency_key is null;
  end if;
  if p_wait then
    select * into v_account from ledger.account where account_id = p_account_id for no key update;
  else
    select * into v_account from ledger.account where account_id = p_account_id for no key update skip locked;
  end if;
  return case when v_account.deleted_at is null then v_account.plan end;
end
$$;
