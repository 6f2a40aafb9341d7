-- The entries of an account that have one of the references of a write.
create or replace function ledger.known_entries(p_account_id uuid, p_entries ledger.new_entry[]) returns ledger.stored_entry[]
language plpgsql stable
as $$
declare
  v_refs  constant text[] := array(select external_ref from unnest(p_entries) where external_ref is not null);
  v_known ledger.stored_entry[];
begin
  if cardinality(v_refs) > 0 then
    -- Planned for the number of references. A kept plan, made while the table was small, would read the whole account.
    execute $statement$
      select array_agg(row(e.entry_id, e.source_id, e.entry_date, e.type, e.amount_pence, e.category, e.description,
                           e.external_ref)::ledger.stored_entry)
        from ledger.entry e
       where e.account_id = $1 and e.external_ref = any ($2) and e.external_ref is not null
    $statement$ into v_known using p_account_id, v_refs;
  end if;
  return coalesce(v_known, '{}');
end
$$;
