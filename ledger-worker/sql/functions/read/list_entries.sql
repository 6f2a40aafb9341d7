-- Pages of entries: newest date first, newest created first within a date.
--
-- In: on distributed books, the account of a query; all queries are of accounts on its node. The queries. Out: one row for each query, by
-- its number, counted from 1. api_access is null if the key is unknown or revoked. `entries` are JSON objects, separated by a comma and a line end; null if
-- the key is refused or the account has no such source. If there are more entries than the page has, the last one belongs to the
-- next page.
--
-- Locks: none. On distributed books the call runs whole on the account's node.
create or replace function ledger.list_entries(p_account_id uuid, p_queries ledger.page_query[])
returns table (n integer, api_access boolean, entries text, has_more boolean)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  v_query ledger.page_query;
  v_entry text;
  v_page  text[];
begin
  if p_account_id is null then
    -- One statement for all queries: in groups, a statement for each takes a quarter longer.
    return query
      select query.ordinality::integer, caller.api_access, page.entries, page.has_more
        from unnest(p_queries) with ordinality as query
       cross join lateral (
         select bool_or(ledger.has_api_access(own.plan)) as api_access
           from ledger.plan_of_key(query.key_hash, query.account_id) as own
       ) as caller
       cross join lateral (
         select caller.api_access and (
           select true from ledger.source s
            where s.account_id = query.account_id and s.source_id = query.source_id and s.removed_at is null
         ) is not null as found
       ) as source
       cross join lateral (
         select case when source.found then
                  coalesce(string_agg(row_to_json(entry)::text, E',\n' order by date desc, id desc), '')
                end as entries,
                count(*) > query.page_size as has_more
           from (
             select e.entry_id as id, e.entry_date as date, e.type, e.category, e.amount_pence as "amountPence",
                    e.description, e.external_ref as "externalRef"
               from ledger.entry e
              where e.account_id = query.account_id and e.source_id = query.source_id and source.found
                and e.entry_date >= query.first_date
                and (e.entry_date, e.entry_id) < (query.before_date, query.before_id)
              order by e.entry_date desc, e.entry_id desc
              limit query.page_size + 1
           ) as entry
       ) as page;
    return;
  end if;

  for i in 1 .. cardinality(p_queries) loop
    v_query := p_queries[i];
    n := i;
    entries := null;
    has_more := false;
    api_access := (ledger.access_of_key(v_query.account_id, v_query.key_hash)).api_access;
    if api_access then
      perform from ledger.source s
        where s.account_id = v_query.account_id and s.source_id = v_query.source_id and s.removed_at is null;
      if found then
        v_page := '{}';
        for v_entry in
          select row_to_json(row(e.entry_id, e.entry_date, e.type, e.category, e.amount_pence, e.description,
                                 e.external_ref)::ledger.page_entry)::text
            from ledger.entry e
           where e.account_id = v_query.account_id and e.source_id = v_query.source_id
             and e.entry_date >= v_query.first_date
             and (e.entry_date, e.entry_id) < (v_query.before_date, v_query.before_id)
           order by e.entry_date desc, e.entry_id desc
           limit v_query.page_size + 1
        loop
          v_page := v_page || v_entry;
        end loop;
        entries := array_to_string(v_page, E',\n');
        has_more := cardinality(v_page) > v_query.page_size;
      end if;
    end if;
    return next;
  end loop;
end
$$;
