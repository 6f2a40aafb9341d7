-- Lists the entries of a batch whose reference was known before it, in the order in which they were sent:
-- [{index, id, differingFields}].
--
-- In: the batch's entries. p_first_ids are the ids under which the first request created them, if this is a repeated one. An entry
-- that is stored under its own id was created by its request, and is not listed.
--
-- Locks: none.
create or replace function ledger.known_entries(
  p_account_id uuid,
  p_source_id  uuid,
  p_entries    ledger.new_entry[],
  p_first_ids  uuid[]
)
returns json
language sql stable
-- A nested loop would visit all pairs: the planner does not know how many entries there are.
set enable_nestloop = off
as $$
  -- References are looked up by one scan of the index. The result is built as text: json functions take longer.
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
    join (
      select *
        from ledger.entry
       where account_id = p_account_id and external_ref is not null
         and external_ref = any (array(select external_ref from unnest(p_entries)))
      offset 0
    ) as e on e.external_ref = sent.external_ref and e.entry_id <> coalesce(p_first_ids[ordinality], sent.entry_id)
$$;
