-- The detail of a batch whose entries are not all new: {ids, existing}. `existing` lists the entries whose reference was known before
-- the batch, in the order in which they were sent: [{index, id, differingFields}].
--
-- In: the account, the source, the entries of the batch, the stored entries that have one of their references, and how many entries
-- were new. p_is_repeated says that the request was carried out before, under the same idempotency key; p_first_ids are then the ids
-- in the first response. Fails with unique_violation if an id stands for another entry or another request.
--
-- Locks: none.
create or replace function ledger.describe_batch(
  p_account_id  uuid,
  p_source_id   uuid,
  p_entries     ledger.new_entry[],
  p_known       ledger.stored_entry[],
  p_added       integer,
  p_is_repeated boolean,
  p_first_ids   uuid[]
)
returns json
language plpgsql stable
-- A nested loop would visit all pairs: the planner does not know how many entries there are.
set enable_nestloop = off
as $$
declare
  v_existing json;
  v_own      integer;
begin
  -- An entry that is stored under its own id was created by its request, and is not listed. The result is built as text: json
  -- functions take longer.
  v_existing := (
    select coalesce('[' || string_agg(
             '{"index":' || ordinality - 1 || ',"id":"' || e.entry_id || '","differingFields":' ||
             case
               when (e.source_id, e.entry_date, e.type, e.amount_pence, e.category, e.description) is distinct from
                    (p_source_id, sent.entry_date, sent.type, sent.amount_pence, sent.category, sent.description)
               then to_json(array_remove(array[
                 case when e.source_id    is distinct from p_source_id       then 'sourceId'    end,
                 case when e.entry_date   is distinct from sent.entry_date   then 'date'        end,
                 case when e.type         is distinct from sent.type         then 'type'        end,
                 case when e.amount_pence is distinct from sent.amount_pence then 'amountPence' end,
                 case when e.category     is distinct from sent.category     then 'category'    end,
                 case when e.description  is distinct from sent.description  then 'description' end
               ], null))::text
               else '[]'
             end || '}', ',' order by ordinality) || ']', '[]')::json
      from unnest(p_entries) with ordinality as sent
      join unnest(p_known) as e
        on e.external_ref = sent.external_ref and e.entry_id <> coalesce(p_first_ids[ordinality], sent.entry_id));

  -- An entry that is neither new nor known by its reference was stored by an earlier attempt. That attempt has then stored all
  -- that it could, as it is sent now. Categories may have been set since.
  v_own := cardinality(p_entries) - p_added - json_array_length(v_existing);
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
  return json_build_object('ids', p_first_ids, 'existing', v_existing);
end
$$;
