-- The entries of a write that are not in the ledger: those without a reference, and the first with each unknown reference.
--
-- In: the entries, and the stored entries that have one of their references.
create or replace function ledger.unknown_entries(p_entries ledger.new_entry[], p_known ledger.stored_entry[])
returns ledger.new_entry[]
language plpgsql stable
as $$
declare
  v_refs      bigint;
  v_different bigint;
begin
  -- In most writes all entries are new.
  if cardinality(p_known) = 0 then
    select count(external_ref), count(distinct external_ref) into v_refs, v_different from unnest(p_entries);
    if v_different = v_refs then
      return p_entries;
    end if;
  end if;
  return array(
    select row(entry_id, entry_date, type, amount_pence, category, description, external_ref)::ledger.new_entry
      from (select *, row_number() over (partition by external_ref order by ordinality) as nth
              from unnest(p_entries) with ordinality) as sent
     where external_ref is null
        or nth = 1 and external_ref not in (select external_ref from unnest(p_known))
     order by ordinality);
end
$$;
