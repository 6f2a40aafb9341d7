-- Inserts an entry, unless its reference or its id is stored. Out: the number of new entries.
--
-- Locks: none.
create or replace function ledger.insert_one(p_account_id uuid, p_source_id uuid, p_entry ledger.new_entry) returns integer
language plpgsql
as $$
declare
  v_added integer;
begin
  insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type,
                            category, description, external_ref)
  values (p_account_id, p_entry.entry_id, p_source_id, p_entry.entry_date, p_entry.amount_pence, p_entry.type,
          p_entry.category, p_entry.description, p_entry.external_ref)
  on conflict do nothing;
  get diagnostics v_added = row_count;
  return v_added;
end
$$;
