-- Steps 5 and 6 of ledger.create_batches: inserts the entries that are not stored yet, appends a row to the log of each account
-- that has new entries, and adds their number to the source's transaction_count. It is one statement for all batches of a round:
-- a statement for each batch costs 1.7 times as much for 32 batches of one entry.
--
-- In: the states, all batches, and all entries. Inserts the batches that are accepted. Out: the states, with `added`.
--
-- Locks: the rows of ledger.source that it updates, for no key update.
create or replace function ledger.insert_entries(
  p_states  ledger.batch_state[],
  p_batches ledger.batch[],
  p_entries ledger.new_entry[]
)
returns ledger.batch_state[]
language plpgsql
as $$
#variable_conflict use_column
declare
  v record;
begin
  for v in
    with sent as materialized (
      select p_batches[batch].account_id, p_batches[batch].source_id, sent.*
        from unnest(p_entries) with ordinality as sent
       where p_states[batch].outcome = 'accepted'
    ),
    -- Of two entries of a batch that have one reference, the first is created.
    first as (
      select min(ordinality) as ordinality from sent where external_ref is not null group by batch, external_ref
    ),
    grouped as materialized (
      select account_id, source_id, batch, array_agg(external_ref) filter (where external_ref is not null) as refs,
             min(ordinality) filter (where external_ref is null) as without_ref
        from sent
       group by account_id, source_id, batch
    ),
    known as (
      select batch, external_ref
        from grouped
       cross join lateral (
         select external_ref
           from ledger.entry e
          where e.account_id = grouped.account_id and e.external_ref = any (refs) and e.external_ref is not null
         offset 0
       ) as e
    ),
    -- It is enough to look up one entry without a reference: an earlier attempt of this request has stored all or none of them.
    stored as (
      select batch
        from grouped
       where (select true
                from ledger.entry e
               where e.account_id = grouped.account_id and e.source_id = grouped.source_id
                 and e.entry_date = p_entries[without_ref].entry_date and e.entry_id = p_entries[without_ref].entry_id)
    ),
    -- Stored entries are left out here: an insert that meets a conflict costs more.
    fresh as materialized (
      select *
        from sent
       where case
               when external_ref is null then batch not in (select batch from stored)
               else ordinality in (select ordinality from first)
                    and (batch, external_ref) not in (select batch, external_ref from known)
             end
    ),
    inserted as (
      insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type,
                                category, description, external_ref)
      select account_id, entry_id, source_id, entry_date, amount_pence, type, category, description, external_ref
        from fresh
    ),
    counted as materialized (
      select batch, account_id, source_id, count(*)::integer as added from fresh group by batch, account_id, source_id
    ),
    logged as (
      insert into ledger.write_log (account_id, written_at, created, total)
      select account_id, p_states[batch].written_at, added, p_states[batch].total + added from counted
    ),
    summed as (
      update ledger.source s
         set transaction_count = transaction_count + added
        from counted
       where s.account_id = counted.account_id and s.source_id = counted.source_id
    )
    select batch, added from counted
  loop
    p_states[v.batch].added := v.added;
  end loop;
  return p_states;
end
$$;
