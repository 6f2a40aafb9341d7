-- Inserts several new entries of one source.
--
-- Locks: none.
create or replace function ledger.insert_many(p_account_id uuid, p_source_id uuid, p_entries ledger.new_entry[]) returns void
language plpgsql
-- Citus has no generic plan for this statement.
set plan_cache_mode = auto
as $$
begin
  insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type,
                            category, description, external_ref)
  select p_account_id, entry_id, p_source_id, entry_date, amount_pence, type, category, description, external_ref
    from unnest(p_entries);
end
$$;
