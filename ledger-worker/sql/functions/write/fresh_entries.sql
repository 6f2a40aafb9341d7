-- The entries of a batch that are not stored yet. Of two entries that have one reference, the first.
--
-- In: the account, the source, the entries, and the stored entries that have one of their references.
--
-- Locks: none.
create or replace function ledger.fresh_entries(
  p_account_id uuid,
  p_source_id  uuid,
  p_entries    ledger.new_entry[],
  p_known      ledger.stored_entry[]
)
returns ledger.new_entry[]
language plpgsql stable
as $$
declare
  v_refs      constant text[] := array(select external_ref from unnest(p_entries) where external_ref is not null);
  v_first     ledger.new_entry;
  v_is_stored boolean := false;
  v_different bigint;
begin
  -- Stored references are unique: each entry has one of its own.
  if cardinality(p_known) = cardinality(p_entries) then
    return '{}';
  end if;

  -- It is enough to look up one entry without a reference: an earlier attempt of this request has stored all or none of them.
  if cardinality(v_refs) < cardinality(p_entries) then
    select sent.* into v_first from unnest(p_entries) as sent where external_ref is null limit 1;
    perform from ledger.entry e
      where e.account_id = p_account_id and e.source_id = p_source_id
        and e.entry_date = v_first.entry_date and e.entry_id = v_first.entry_id;
    v_is_stored := found;
  end if;

  -- For most batches nothing has to be told apart.
  v_different := (select count(*) from (select from unnest(v_refs) as ref group by ref) as different);
  if not v_is_stored and cardinality(p_known) = 0 and cardinality(v_refs) = v_different then
    return p_entries;
  end if;
  if (v_is_stored or cardinality(v_refs) = cardinality(p_entries)) and cardinality(p_known) = v_different then
    return '{}';
  end if;
  return array(
    select row(batch, entry_id, entry_date, type, amount_pence, category, description, external_ref)::ledger.new_entry
      from (select *, row_number() over (partition by external_ref order by ordinality) as nth
              from unnest(p_entries) with ordinality) as sent
     where case
             when external_ref is null then not v_is_stored
             else nth = 1 and external_ref not in (select external_ref from unnest(p_known))
           end
     order by ordinality);
end
$$;
