-- Locks an account until the transaction ends. This makes its writes serial, so that dedupe, cap and counters are exact.
--
-- In: the account. If another transaction holds it, p_wait says whether to wait or to return false. Out: whether it is locked.
--
-- Locks: the row of ledger.account, for no key update.
create or replace function ledger.lock_account(p_account_id uuid, p_wait boolean) returns boolean
language plpgsql
as $$
begin
  -- On distributed books the lock of a row does not keep the shard from moving to another node, where the row is not locked. A
  -- change does, even of no row.
  delete from ledger.idempotency_key where account_id = p_account_id and idempotency_key is null;
  if p_wait then
    perform from ledger.account where account_id = p_account_id for no key update;
    return true;
  end if;
  perform from ledger.account where account_id = p_account_id for no key update skip locked;
  return found;
end
$$;
