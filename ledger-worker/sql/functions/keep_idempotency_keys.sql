-- Keeps the idempotency keys of the batches that were created, and deletes keys of the same accounts that are past their lifetime.
--
-- In: the states, the numbers of the batches of the round, all batches, and all entries.
--
-- Locks: the rows that it changes, after the account's.
create or replace function ledger.keep_idempotency_keys(
  p_states       ledger.batch_state[],
  p_numbers      integer[],
  p_batches      ledger.batch[],
  p_entries      ledger.new_entry[],
  p_key_lifetime interval
)
returns void
language plpgsql
as $$
declare
  n         integer;
  v_batch   ledger.batch;
  v_entries ledger.new_entry[];
begin
  foreach n in array p_numbers loop
    continue when p_batches[n].idempotency_key is null or p_states[n].outcome <> 'accepted';
    v_batch := p_batches[n];
    v_entries := p_entries[v_batch.first_entry : v_batch.last_entry];

    -- A bounded number: an account may have used very many.
    delete from ledger.idempotency_key k
     where k.account_id = v_batch.account_id
       and k.idempotency_key = any (array(select old.idempotency_key
                                            from ledger.idempotency_key old
                                           where old.account_id = v_batch.account_id
                                             and old.used_at <= clock_timestamp() - p_key_lifetime
                                           order by old.used_at
                                           limit 1000));
    -- The key itself may be past its lifetime and not deleted. If all entries were known, the response needs no ids.
    insert into ledger.idempotency_key (account_id, idempotency_key, fingerprint, entry_ids, used_at)
    values (v_batch.account_id, v_batch.idempotency_key, v_batch.fingerprint,
            case when json_array_length(p_states[n].detail -> 'existing') is distinct from cardinality(v_entries)
                 then array(select entry_id from unnest(v_entries)) end,
            clock_timestamp())
    on conflict (account_id, idempotency_key) do update
       set fingerprint = excluded.fingerprint, entry_ids = excluded.entry_ids, used_at = excluded.used_at;
  end loop;
end
$$;
