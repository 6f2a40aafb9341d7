-- The response to a write whose entries are not all new, as JSON (docs/api/entries.md), and how many of its entries were known by their
-- reference before the write. Worker and gateway pass the JSON on and do not parse it.
--
-- In: the account, the source, the entries of the write, the stored entries that have one of their references, and how many were new.
-- p_is_repeated: the request was carried out before, under the same idempotency key; p_first_ids are then the ids in the first
-- response. Fails with unique_violation if an id is stored, in the source and on the date of its entry, for another entry or write.
create or replace function ledger.format_result(
  p_account_id      uuid,
  p_source_id       uuid,
  p_entries         ledger.new_entry[],
  p_known           ledger.stored_entry[],
  p_new             integer,
  p_is_repeated     boolean,
  p_first_ids       uuid[],
  out known_entries integer,
  out result        text
)
language plpgsql stable
-- A nested loop would visit all pairs: the planner cannot estimate the number of entries.
set enable_nestloop = off
as $$
declare
  v_created   text;
  v_existing  text;
  v_conflicts text;
  v_own       integer;
  v_sent      ledger.new_entry;
begin
  -- An entry that is stored under its own id was created by its write, and is not known. Built as text: json functions take longer.
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
    into known_entries, v_created, v_existing, v_conflicts
    from (select *, coalesce(p_first_ids[ordinality], entry_id) as own_id from unnest(p_entries) with ordinality) as sent
    left join unnest(p_known) as e on e.external_ref = sent.external_ref;

  -- An entry that is neither new nor known was stored by an earlier attempt. That attempt has then stored the whole write, as it is
  -- sent now. Categories may have been set since.
  v_own := cardinality(p_entries) - p_new - known_entries;
  if not p_is_repeated and v_own > 0 then
    if p_new = 0 then
      -- A statement for each entry, whose plan is kept. For an array of ids Postgres may read the index of the whole account.
      foreach v_sent in array p_entries loop
        perform from ledger.entry e
          where e.account_id = p_account_id and e.source_id = p_source_id
            and e.entry_date = v_sent.entry_date and e.entry_id = v_sent.entry_id
            and (e.type, e.amount_pence, e.description, e.external_ref)
                is not distinct from (v_sent.type, v_sent.amount_pence, v_sent.description, v_sent.external_ref);
        if found then
          v_own := v_own - 1;
        end if;
      end loop;
    end if;
    if v_own <> 0 then
      raise exception 'an id belongs to one entry, and to one write'
        using errcode = 'unique_violation', constraint = 'entry_id_reused';
    end if;
  end if;

  result := '{"created":' || cardinality(p_entries) - known_entries || ',"deduplicated":' || known_entries ||
            ',"transactions":[' || coalesce(v_created, '') || '],"existing":[' || coalesce(v_existing, '') || ']' ||
            coalesce(',"conflicts":[' || v_conflicts || ']', '') || '}';
end
$$;
