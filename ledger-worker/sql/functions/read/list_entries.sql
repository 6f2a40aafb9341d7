-- Pages of entries: newest date first, newest created first within a date.
--
-- In: the account of one of the queries; the queries, all of accounts on its node. Out: one row for each query, by its number, counted
-- from 1. api_access is null if the key is unknown or revoked. `entries` are JSON objects, separated by a comma and a line end; null if
-- the key is refused or the account has no such source. If the page does not have all entries, the last one belongs to the next page.
--
-- One call for many queries: each call costs time of its own.
--
-- On a distributed database the call runs whole on the node, and Citus keeps plans of statements of one table only.
create or replace function ledger.list_entries(p_account_id uuid, p_queries ledger.page_query[])
returns table (n integer, api_access boolean, entries text, has_more boolean)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_query ledger.page_query;
  v_entry text;
  v_page  text[];
begin
  for i in 1 .. cardinality(p_queries) loop
    v_query := p_queries[i];
    n := i;
    entries := null;
    has_more := false;
    api_access := (ledger.authenticate(v_query.account_id, v_query.key_hash)).api_access;
    if api_access then
      perform from ledger.source s
        where s.account_id = v_query.account_id and s.source_id = v_query.source_id and s.removed_at is null;
      if found then
        v_page := '{}';
        for v_entry in
          -- Built as text: row_to_json takes longer.
          select '{"id":"' || e.entry_id || '","date":' || to_json(e.entry_date) || ',"type":"' || e.type ||
                 '","category":' || coalesce('"' || e.category || '"', 'null') || ',"amountPence":' || e.amount_pence ||
                 ',"description":' || coalesce(to_json(e.description)::text, 'null') ||
                 ',"externalRef":' || coalesce(to_json(e.external_ref)::text, 'null') || '}'
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
