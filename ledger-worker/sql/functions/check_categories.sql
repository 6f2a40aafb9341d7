-- Step 3 of ledger.create_batches: refuses the batches that have an entry whose category does not fit its type and the type of
-- the source.
--
-- In: the states, all batches, and all entries. Checks the batches that are accepted so far. Out: the states, `invalid_categories`
-- with its detail among them.
--
-- Locks: none.
create or replace function ledger.check_categories(
  p_states  ledger.batch_state[],
  p_batches ledger.batch[],
  p_entries ledger.new_entry[]
)
returns ledger.batch_state[]
language plpgsql
as $$
declare
  n integer;
begin
  -- Each pair of type and category is looked up once for a batch, not once for an entry.
  for n in
    select distinct batch
      from (select distinct batch, type, category from unnest(p_entries) where category is not null offset 0) as used
     where p_states[batch].outcome = 'accepted'
       and (select true
              from ledger.category c
             where c.source_type = p_states[batch].source_type and c.entry_type = used.type
               and c.category = used.category)
           is null
  loop
    p_states[n].outcome := 'invalid_categories';
    p_states[n].detail := json_build_object('sourceType', p_states[n].source_type, 'indexes', (
      select json_agg(ordinality - 1 order by ordinality)
        from unnest(p_entries[p_batches[n].first_entry : p_batches[n].last_entry]) with ordinality as sent
       where category is not null
         and (select true
                from ledger.category c
               where c.source_type = p_states[n].source_type and c.entry_type = sent.type
                 and c.category = sent.category)
             is null));
  end loop;
  return p_states;
end
$$;
