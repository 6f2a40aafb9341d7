-- Adds the detail to the batches whose entries are not all new: which were known, and under which ids the first response has them.
--
-- In: the states, the numbers of the batches of the round, all batches, and all entries. Out: the states. Fails with
-- unique_violation if an id stands for another entry or another request.
--
-- Locks: none.
create or replace function ledger.describe_known(
  p_states  ledger.batch_state[],
  p_numbers integer[],
  p_batches ledger.batch[],
  p_entries ledger.new_entry[]
)
returns ledger.batch_state[]
language plpgsql
as $$
declare
  n          integer;
  v_batch    ledger.batch;
  v_state    ledger.batch_state;
  v_entries  ledger.new_entry[];
  v_ids      uuid[];
  v_existing json;
  v_own      integer;
begin
  foreach n in array p_numbers loop
    continue when p_states[n].outcome not in ('accepted', 'repeated', 'stored')
               or p_states[n].added = p_batches[n].last_entry - p_batches[n].first_entry + 1;
    v_batch := p_batches[n];
    v_state := p_states[n];
    v_entries := p_entries[v_batch.first_entry : v_batch.last_entry];
    v_ids := null;
    if v_state.outcome = 'repeated' then
      select entry_ids into v_ids
        from ledger.idempotency_key
       where account_id = v_batch.account_id and idempotency_key = v_batch.idempotency_key;
    end if;
    v_existing := ledger.known_entries(v_batch.account_id, v_batch.source_id, v_entries, v_ids);
    p_states[n].detail := json_build_object('ids', v_ids, 'existing', v_existing);

    -- An entry that is neither new nor known by its reference was stored by an earlier attempt. That attempt has then stored all
    -- that it could, as it is sent now. Categories may have been set since.
    v_own := cardinality(v_entries) - v_state.added - json_array_length(v_existing);
    continue when v_state.outcome = 'repeated' or v_own = 0;
    if v_state.added > 0 or v_own <> (
      select count(*)
        from unnest(v_entries) as sent
       where (select (e.type, e.amount_pence, e.description, e.external_ref)
                     is not distinct from (sent.type, sent.amount_pence, sent.description, sent.external_ref)
                from ledger.entry e
               where e.account_id = v_batch.account_id and e.source_id = v_batch.source_id
                 and e.entry_date = sent.entry_date and e.entry_id = sent.entry_id))
    then
      raise exception 'an id stands for one entry, and for one request'
        using errcode = 'unique_violation', constraint = 'entry_id_reused';
    end if;
  end loop;
  return p_states;
end
$$;
