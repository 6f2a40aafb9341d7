-- Step 4 of ledger.create_batches: finds the refused batches that an earlier attempt of the same request has stored, under the ids
-- that are sent again. A client that is refused may send its entries elsewhere, so these are not refused.
--
-- In: the states, the numbers of the batches of the round, all batches, and all entries. Out: the states, `stored` among them.
--
-- Locks: none.
create or replace function ledger.find_stored(
  p_states  ledger.batch_state[],
  p_numbers integer[],
  p_batches ledger.batch[],
  p_entries ledger.new_entry[]
)
returns ledger.batch_state[]
language plpgsql
as $$
declare
  n         integer;
  v_batch   ledger.batch;
  v_entries ledger.new_entry[];
  v_refs    text[];
begin
  foreach n in array p_numbers loop
    continue when p_states[n].outcome not in ('invalid_key', 'upgrade_required', 'source_not_found',
                                              'idempotency_key_reused', 'invalid_categories');
    v_batch := p_batches[n];
    v_entries := p_entries[v_batch.first_entry : v_batch.last_entry];
    v_refs := array(select external_ref from unnest(v_entries));
    -- Nothing is looked up for a key that was never one of the account.
    if (select bool_or(is_own) and bool_and(is_own or is_known)
          from (select (select true
                          from ledger.entry e
                         where e.account_id = v_batch.account_id and e.entry_id = sent.entry_id) is not null as is_own,
                       coalesce(sent.external_ref in (
                         select e.external_ref
                           from ledger.entry e
                          where e.account_id = v_batch.account_id and e.external_ref = any (v_refs)
                            and e.external_ref is not null), false) as is_known
                  from unnest(v_entries) as sent
                 where (select true
                          from ledger.api_key k
                         where k.account_id = v_batch.account_id and k.key_hash = v_batch.key_hash)) as refused)
    then
      p_states[n].outcome := 'stored';
    end if;
  end loop;
  return p_states;
end
$$;
