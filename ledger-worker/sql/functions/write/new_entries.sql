-- The new entries of a write: the first entry with each unknown reference; of the entries without a reference, all or none.
--
-- In: the account, the source, the entries, and the stored entries that have one of their references.
create or replace function ledger.new_entries(
  p_account_id uuid,
  p_source_id  uuid,
  p_entries    ledger.new_entry[],
  p_known      ledger.stored_entry[]
)
returns ledger.new_entry[]
language plpgsql stable
as $$
declare
  v_refs      bigint;
  v_different bigint;
  v_first     ledger.new_entry;
  v_is_stored boolean := false;
begin
  select count(external_ref), count(distinct external_ref) into v_refs, v_different from unnest(p_entries);
  if v_refs < cardinality(p_entries) then
    -- It is enough to look up one: an earlier attempt of this write has stored all of them or none.
    select * into v_first from unnest(p_entries) where external_ref is null limit 1;
    perform from ledger.entry
      where account_id = p_account_id and source_id = p_source_id
        and entry_date = v_first.entry_date and entry_id = v_first.entry_id;
    v_is_stored := found;
  end if;
  -- In most writes all entries are new.
  if cardinality(p_known) = 0 and v_different = v_refs and not v_is_stored then
    return p_entries;
  end if;
  return array(
    select row(entry_id, entry_date, type, amount_pence, category, description, external_ref)::ledger.new_entry
      from (select *, row_number() over (partition by external_ref order by ordinality) as nth
              from unnest(p_entries) with ordinality) as sent
     where case
             when external_ref is null then not v_is_stored
             else nth = 1 and external_ref not in (select external_ref from unnest(p_known))
           end
     order by ordinality);
end
$$;
