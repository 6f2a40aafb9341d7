-- ledger.write_group for workers from before request ids, which run beside newer ones during an upgrade. The id of a request is that
-- of its first entry, as in requests of gateways of that time. A later migration drops it, with ledger.lock_account,
-- ledger.new_entries, ledger.is_stored and ledger.format_result, which only upgraded databases have, and the type ledger.new_write.
create or replace function ledger.write(
  p_account_id    uuid,
  p_writes        ledger.new_write[],
  p_entries       ledger.new_entry[],
  p_cap           integer,
  p_window        interval,
  p_key_lifetime  interval,
  p_wait_for_lock boolean
)
returns table (n integer, outcome text, new_entries integer, known_entries integer, detail json, result text)
language plpgsql
as $$
declare
  v_writes ledger.write_request[];
  v_result record;
  v_first  integer;
begin
  v_writes := array(
    select row(account_id, key_hash, source_id, (p_entries[first_entry]).entry_id, timeout_ms, idempotency_key, fingerprint,
               first_entry, last_entry)::ledger.write_request
      from unnest(p_writes) with ordinality order by ordinality);
  for v_result in
    select * from ledger.write_group(
      p_account_id, v_writes, p_entries, p_cap, p_window, p_key_lifetime, p_wait_for_lock)
  loop
    n := v_result.n;
    outcome := v_result.outcome;
    new_entries := v_result.new_entries;
    known_entries := v_result.known_entries;
    detail := v_result.detail;
    -- The response of docs/api/entries.md.
    v_first := v_writes[n].first_entry;
    select '{"created":' || count(*) filter (where e.id is null) || ',"deduplicated":' || count(e.id) ||
           ',"transactions":' || coalesce(json_agg(json_build_object(
             'id', coalesce((v_result.stored::jsonb #>> array['ids', (i - v_first)::text])::uuid, p_entries[i].entry_id),
             'externalRef', p_entries[i].external_ref) order by i) filter (where e.id is null), '[]') ||
           ',"existing":' || coalesce(json_agg(json_build_object(
             'id', e.id, 'externalRef', p_entries[i].external_ref) order by i) filter (where e.id is not null), '[]') ||
           coalesce(',"conflicts":' || json_agg(json_build_object(
             'index', e.index, 'externalRef', p_entries[i].external_ref, 'id', e.id, 'fields', e.fields) order by i)
             filter (where json_array_length(e.fields) > 0), '') || '}'
      into result
      from generate_series(v_first, v_writes[n].last_entry) as i
      left join json_to_recordset(v_result.stored::json -> 'existing') as e (index integer, id uuid, fields json)
        on e.index = i - v_first;
    if v_result.stored is null then
      result := null;
    end if;
    return next;
  end loop;
end
$$;
