-- Keeps the idempotency key of a write that was created, and deletes keys of the same account that are past their lifetime.
--
-- In: the write, its entries, and how many of them were known.
--
-- Locks: the rows that it changes, after the account's.
create or replace function ledger.store_idempotency_key(
  p_write        ledger.new_write,
  p_entries      ledger.new_entry[],
  p_known        integer,
  p_key_lifetime interval
)
returns void
language plpgsql
as $$
declare
  v_now       constant timestamptz := clock_timestamp();
  v_entry_ids uuid[];
  v_expired   text[];
  v_key       text;
begin
  -- A bounded number: an account may have used very many.
  for v_key in
    select k.idempotency_key
      from ledger.idempotency_key k
     where k.account_id = p_write.account_id and k.used_at <= v_now - p_key_lifetime
     order by k.used_at
     limit 1000
  loop
    v_expired := v_expired || v_key;
  end loop;
  if v_expired is not null then
    delete from ledger.idempotency_key k
     where k.account_id = p_write.account_id and k.idempotency_key = any (v_expired);
  end if;

  -- If all entries were known, the response needs no ids.
  if p_known < cardinality(p_entries) then
    v_entry_ids := array(select entry_id from unnest(p_entries));
  end if;
  -- The key itself may be past its lifetime and not deleted.
  insert into ledger.idempotency_key (account_id, idempotency_key, fingerprint, entry_ids, used_at)
  values (p_write.account_id, p_write.idempotency_key, p_write.fingerprint, v_entry_ids, v_now)
  on conflict (account_id, idempotency_key) do update
     set fingerprint = excluded.fingerprint, entry_ids = excluded.entry_ids, used_at = excluded.used_at;
end
$$;
