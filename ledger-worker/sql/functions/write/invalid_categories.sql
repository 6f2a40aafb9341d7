-- The entries of a batch whose category does not fit their type and the type of the source: their indexes in the batch, as a JSON
-- array; null if there are none.
--
-- Locks: none.
create or replace function ledger.invalid_categories(p_source_type text, p_entries ledger.new_entry[]) returns json
language plpgsql stable
as $$
begin
  -- Without a statement, for the most frequent case.
  if cardinality(p_entries) = 1 and (p_entries[1].category is null
     or p_entries[1].type || ' ' || p_entries[1].category = any (ledger.categories_of(p_source_type))) then
    return null;
  end if;
  return (select json_agg(ordinality - 1 order by ordinality)
            from unnest(p_entries) with ordinality
           where category is not null
             and type || ' ' || category not in (select unnest(ledger.categories_of(p_source_type))));
end
$$;
