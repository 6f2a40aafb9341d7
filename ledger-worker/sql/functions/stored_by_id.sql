-- The entries of an account that have one of the ids of a batch.
--
-- Locks: none.
create or replace function ledger.stored_by_id(p_account_id uuid, p_entries ledger.new_entry[]) returns ledger.stored_entry[]
language plpgsql stable
-- Planned for the number of ids, which a kept plan does not know. Citus keeps plans even after the table has grown.
set plan_cache_mode = force_custom_plan
as $$
declare
  v_ids    constant uuid[] := array(select entry_id from unnest(p_entries));
  v_stored ledger.stored_entry[];
begin
  select coalesce(
           array_agg(row(e.entry_id, e.source_id, e.entry_date, e.type, e.amount_pence, e.category, e.description,
                         e.external_ref)::ledger.stored_entry), '{}')
    into v_stored
    from ledger.entry e
   where e.account_id = p_account_id and e.entry_id = any (v_ids);
  return v_stored;
end
$$;
