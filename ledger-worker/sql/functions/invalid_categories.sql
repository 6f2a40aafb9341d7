-- The entries of a batch whose category does not fit their type and the type of the source: their indexes in the batch, as a JSON
-- array; null if there are none.
--
-- Locks: none.
create or replace function ledger.invalid_categories(p_source_type text, p_entries ledger.new_entry[]) returns json
language plpgsql stable
as $$
declare
  v_valid text[];
begin
  -- One read for all entries. Citus keeps the plan of this statement, and not that of a join.
  select array_agg(c.entry_type || ' ' || c.category) into v_valid
    from ledger.category c
   where c.source_type = p_source_type;
  return (select json_agg(ordinality - 1 order by ordinality)
            from unnest(p_entries) with ordinality
           where category is not null and type || ' ' || category not in (select unnest(v_valid)));
end
$$;
