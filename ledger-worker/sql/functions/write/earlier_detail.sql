-- What ledger.create_entries and ledger.create_batches return as the detail of a batch whose entries are not all new, out of its
-- result: {ids, existing}, the ids in the response if its idempotency key was already used, and the entries that were known, as
-- [{index, id, differingFields}].
--
-- In: the entries of the batch, and the result of ledger.format_result.
--
-- Locks: none.
create or replace function ledger.earlier_detail(p_entries ledger.new_entry[], p_result text) returns json
language plpgsql immutable
as $$
declare
  v_result   constant jsonb := p_result;
  v_fields   constant jsonb := coalesce((
    select jsonb_object_agg(conflict ->> 'index', conflict -> 'fields')
      from jsonb_array_elements(v_result -> 'conflicts') as conflict), '{}');
  v_known    integer := 0;
  v_ids      uuid[];
  v_existing json[] := '{}';
  v_entry    jsonb;
  v_repeated boolean := false;
begin
  -- Both lists are in the order in which the entries were sent. Of entries with one reference, only the first can be new.
  for n in 1 .. cardinality(p_entries) loop
    v_entry := v_result -> 'transactions' -> (n - 1 - v_known);
    if v_entry is not null and v_entry ->> 'externalRef' is not distinct from p_entries[n].external_ref then
      v_repeated := v_repeated or (v_entry ->> 'id')::uuid <> p_entries[n].entry_id;
    else
      v_entry := v_result -> 'existing' -> v_known;
      v_known := v_known + 1;
      v_existing := v_existing || json_build_object(
        'index', n - 1, 'id', v_entry ->> 'id', 'differingFields', coalesce(v_fields -> (n - 1)::text, '[]'));
    end if;
    v_ids := v_ids || (v_entry ->> 'id')::uuid;
  end loop;
  return json_build_object('ids', case when v_repeated then v_ids end, 'existing', to_json(v_existing));
end
$$;
