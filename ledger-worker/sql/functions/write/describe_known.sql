-- The entries of a write that were in the ledger before it, by their references.
--
-- In: the account, the source, and the entries of the write. p_known: the stored entries that have one of their references, or null
-- to read them. p_created: how many entries the write has created, with its earlier attempts; null if the request was carried out
-- before, under the same idempotency key. p_ids are then the ids of the first request, one for each entry.
--
-- Out: the number of existing entries, and JSON for the gateway, {ids, existing: [{index, id, fields}]}: ids are p_ids; fields are the
-- members that differ from the stored entry.
--
-- Fails with unique_violation if an entry is neither created nor existing: its id is stored in the same source on the same date.
create or replace function ledger.describe_known(
  p_account_id      uuid,
  p_source_id       uuid,
  p_entries         ledger.sent_entry[],
  p_known           ledger.stored_entry[],
  p_created         integer,
  p_ids             uuid[],
  out known_entries integer,
  out known_json    text
)
language plpgsql stable
-- A nested loop would visit all pairs: the planner cannot estimate the number of entries.
set enable_nestloop = off
as $$
declare
  v_known constant ledger.stored_entry[] := coalesce(p_known, (ledger.split_entries(p_account_id, p_entries)).known);
begin
  -- An entry that is stored under its own id was created by its write. Built as text: json functions take longer.
  select count(*),
         '{' || coalesce('"ids":' || to_json(p_ids) || ',', '') || '"existing":[' || coalesce(string_agg(
           '{"index":' || ordinality - 1 || ',"id":"' || e.entry_id || '","fields":[' || concat_ws(',',
             case when e.source_id    is distinct from p_source_id       then '"sourceId"'    end,
             case when e.entry_date   is distinct from sent.entry_date   then '"date"'        end,
             case when e.type         is distinct from sent.type         then '"type"'        end,
             case when e.amount_pence is distinct from sent.amount_pence then '"amountPence"' end,
             case when e.category     is distinct from sent.category     then '"category"'    end,
             case when e.description  is distinct from sent.description  then '"description"' end) || ']}',
           ',' order by ordinality), '') || ']}'
    into known_entries, known_json
    from unnest(p_entries) with ordinality as sent
    join unnest(v_known) as e on e.external_ref = sent.external_ref
                             and e.entry_id <> coalesce(p_ids[ordinality], sent.entry_id);
  if p_created + known_entries <> cardinality(p_entries) then
    raise exception 'an id belongs to one entry, and to one write'
      using errcode = 'unique_violation', constraint = 'entry_id_reused';
  end if;
end
$$;
