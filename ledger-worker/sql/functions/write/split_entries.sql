-- Splits the entries of a write by their references.
--
-- Out: known: the stored entries of the account that have one of the references. to_create: the entries that are not in the ledger:
-- those without a reference, and the first with each reference that is not known.
create or replace function ledger.split_entries(
  p_account_id  uuid,
  p_entries     ledger.sent_entry[],
  out known     ledger.stored_entry[],
  out to_create ledger.sent_entry[]
)
language plpgsql stable
as $$
declare
  v_refs      constant text[] := array(select external_ref from unnest(p_entries) where external_ref is not null);
  v_different bigint;
begin
  if cardinality(v_refs) > 0 then
    -- Planned for the number of references. A kept plan, made while the table was small, would read the whole account.
    execute $statement$
      select array_agg(row(e.entry_id, e.source_id, e.entry_date, e.type, e.amount_pence, e.category, e.description,
                           e.external_ref)::ledger.stored_entry)
        from ledger.entry e
       where e.account_id = $1 and e.external_ref = any ($2) and e.external_ref is not null
    $statement$ into known using p_account_id, v_refs;
  end if;
  known := coalesce(known, '{}');

  -- In most writes all entries are new.
  if cardinality(known) = 0 then
    select count(distinct ref) into v_different from unnest(v_refs) as ref;
    if v_different = cardinality(v_refs) then
      to_create := p_entries;
      return;
    end if;
  end if;
  to_create := array(
    select row(entry_id, entry_date, type, amount_pence, category, description, external_ref)::ledger.sent_entry
      from (select *, row_number() over (partition by external_ref order by ordinality) as nth
              from unnest(p_entries) with ordinality) as sent
     where external_ref is null
        or nth = 1 and external_ref not in (select external_ref from unnest(known))
     order by ordinality);
end
$$;
