-- Of the entries sent, those whose reference was known before: [{index, id, differingFields}], ascending. An entry that is there
-- under its own id was created by this very request. The references are looked up by one scan of the index, and the result is
-- put together as text: built object by object it takes longer.
create or replace function ledger.known_entries(
  p_account_id   uuid,
  p_source_id    uuid,
  p_ids          uuid[],
  p_dates        date[],
  p_types        ledger.entry_type[],
  p_amounts      bigint[],
  p_categories   text[],
  p_descriptions text[],
  p_refs         text[]
)
returns json
language sql stable
-- All pairs would be visited: how many entries come together, the plan does not know.
set enable_nestloop = off
as $$
  select coalesce('[' || string_agg(
           '{"index":' || n - 1 || ',"id":"' || e.entry_id || '","differingFields":' ||
           case
             when (e.source_id, e.entry_date, e.type, e.amount_pence, e.category, e.description)
                  is distinct from (p_source_id, date, sent.type, amount, sent.category, sent.description)
             then to_json(array_remove(array[
               case when e.source_id    is distinct from p_source_id then 'sourceId'    end,
               case when e.entry_date   is distinct from date        then 'date'        end,
               case when e.type         is distinct from sent.type   then 'type'        end,
               case when e.amount_pence is distinct from amount      then 'amountPence' end,
               case when e.category     is distinct from sent.category    then 'category'    end,
               case when e.description  is distinct from sent.description then 'description' end
             ], null))::text
             else '[]'
           end || '}', ',' order by n) || ']', '[]')::json
    from unnest(p_ids, p_dates, p_types, p_amounts, p_categories, p_descriptions, p_refs)
         with ordinality as sent (id, date, type, amount, category, description, ref, n)
    join (
      select *
        from ledger.entry
       where account_id = p_account_id and external_ref = any (p_refs) and external_ref is not null
      offset 0
    ) as e on e.external_ref = ref and e.entry_id <> id
$$;
