-- The response to a batch whose entries are not all new, as JSON (specification: CreateResult), and how many of its entries were known
-- by their reference before the batch. Worker and gateway pass the JSON on and do not parse it.
--
-- In: the account, the source, the entries of the batch, the stored entries that have one of their references, and how many entries
-- were new. p_is_repeated says that the request was carried out before, under the same idempotency key; p_first_ids are then the ids
-- in the first response. Fails with unique_violation if an id stands for another entry or another request.
--
-- Locks: none.
create or replace function ledger.format_result(
  p_account_id     uuid,
  p_source_id      uuid,
  p_entries        ledger.new_entry[],
  p_known          ledger.stored_entry[],
  p_added          integer,
  p_is_repeated    boolean,
  p_first_ids      uuid[],
  out deduplicated integer,
  out result       text
)
language plpgsql stable
-- A nested loop would visit all pairs: the planner does not know how many entries there are.
set enable_nestloop = off
as $$
declare
  v_size      constant integer := cardinality(p_entries);
  v_created   text;
  v_existing  text;
  v_conflicts text;
  v_own       integer;
begin
  -- An entry that is stored under its own id was created by its request, and is not known. Built as text: json functions take
  -- longer.
  select count(*) filter (where e.entry_id <> own_id),
         string_agg('{"id":"' || own_id || '","externalRef":' || coalesce(to_json(sent.external_ref)::text, 'null') || '}', ','
                    order by ordinality)
           filter (where (e.entry_id <> own_id) is not true),
         string_agg('{"id":"' || e.entry_id || '","externalRef":' || to_json(e.external_ref) || '}', ',' order by ordinality)
           filter (where e.entry_id <> own_id),
         string_agg('{"index":' || ordinality - 1 || ',"externalRef":' || to_json(e.external_ref) || ',"id":"' || e.entry_id ||
                    '","fields":' || to_json(array_remove(array[
                      case when e.source_id    is distinct from p_source_id       then 'sourceId'    end,
                      case when e.entry_date   is distinct from sent.entry_date   then 'date'        end,
                      case when e.type         is distinct from sent.type         then 'type'        end,
                      case when e.amount_pence is distinct from sent.amount_pence then 'amountPence' end,
                      case when e.category     is distinct from sent.category     then 'category'    end,
                      case when e.description  is distinct from sent.description  then 'description' end
                    ], null)) || '}', ',' order by ordinality)
           -- Column by column: a comparison of rows takes three times as long.
           filter (where e.entry_id <> own_id and (
                         e.source_id <> p_source_id or e.entry_date <> sent.entry_date or e.type <> sent.type
                      or e.amount_pence <> sent.amount_pence or e.category is distinct from sent.category
                      or e.description is distinct from sent.description))
    into deduplicated, v_created, v_existing, v_conflicts
    from (select *, coalesce(p_first_ids[ordinality], entry_id) as own_id from unnest(p_entries) with ordinality) as sent
    left join unnest(p_known) as e on e.external_ref = sent.external_ref;

  -- An entry that is neither new nor known by its reference was stored by an earlier attempt. That attempt has then stored all
  -- that it could, as it is sent now. Categories may have been set since.
  v_own := v_size - p_added - deduplicated;
  if not p_is_repeated and v_own > 0 and (p_added > 0 or v_own <> (
    select count(*)
      from unnest(p_entries) as sent
      join unnest(ledger.stored_by_id(p_account_id, p_entries)) as e using (entry_id)
     where (e.source_id, e.entry_date, e.type, e.amount_pence, e.description, e.external_ref)
           is not distinct from (p_source_id, sent.entry_date, sent.type, sent.amount_pence, sent.description, sent.external_ref)))
  then
    raise exception 'an id stands for one entry, and for one request'
      using errcode = 'unique_violation', constraint = 'entry_id_reused';
  end if;

  result := '{"created":' || v_size - deduplicated || ',"deduplicated":' || deduplicated || ',"transactions":[' ||
            coalesce(v_created, '') || '],"existing":[' || coalesce(v_existing, '') || ']' ||
            coalesce(',"conflicts":[' || v_conflicts || ']', '') || '}';
end
$$;
