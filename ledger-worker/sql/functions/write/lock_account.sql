-- Locks an account until the transaction ends. This makes its writes serial, so that dedupe, cap and counters are exact.
--
-- In: the account; p_wait: whether to wait if another transaction holds it.
--
-- Out: outcome: locked; deleted: it is locked, and it is deleted; notFound; or, only without p_wait, lockUnavailable:
-- another transaction holds it. plan: of a locked account; otherwise null.
--
-- The commit waits for the disk, also where the operator has set synchronous_commit to off: it is acknowledged afterwards.
--
-- Locks: the row of ledger.account, for no key update.
create or replace function ledger.lock_account(p_account_id uuid, p_wait boolean, out outcome text, out plan text)
language plpgsql
as $$
declare
  v_deleted_at timestamptz;
begin
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  -- With Citus the lock of a row does not keep the shard from moving to another node, where the row is not locked. A modifying
  -- statement does, even if it changes no row.
  if current_setting('citus.version', true) is not null then
    delete from ledger.idempotency_key where account_id = p_account_id and idempotency_key is null;
  end if;
  if p_wait then
    select a.plan, a.deleted_at into plan, v_deleted_at
      from ledger.account a where a.account_id = p_account_id for no key update;
  else
    select a.plan, a.deleted_at into plan, v_deleted_at
      from ledger.account a where a.account_id = p_account_id for no key update skip locked;
  end if;
  if not found then
    -- Without p_wait the row may be there, and locked.
    perform from ledger.account a where a.account_id = p_account_id and not p_wait;
    outcome := case when found then 'lockUnavailable' else 'notFound' end;
  elsif v_deleted_at is not null then
    outcome := 'deleted';
    plan := null;
  else
    outcome := 'locked';
  end if;
end
$$;
