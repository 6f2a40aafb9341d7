-- Inserts the new entries of a batch, appends a row to the log of the account, and adds their number to the source's
-- transaction_count. Does nothing if they would take the account beyond the daily cap: an insert that is rolled back leaves dead
-- rows.
--
-- In: the account, the source, the entries, the time, and the cap. Out: the detail of the outcome `daily_cap`; null if the entries
-- were inserted.
--
-- Locks: the source's row, for no key update.
create or replace function ledger.insert_batch(
  p_account_id uuid,
  p_source_id  uuid,
  p_entries    ledger.new_entry[],
  p_now        timestamptz,
  p_cap        integer,
  p_window     interval
)
returns json
language plpgsql
as $$
declare
  v_new     constant integer := cardinality(p_entries);
  v_now     timestamptz;
  v_entry   ledger.new_entry;
  v_last    record;
  v_used    bigint;
  v_total   bigint;
begin
  select l.written_at, l.total into v_last
    from ledger.write_log l
   where l.account_id = p_account_id
   order by l.written_at desc, l.total desc
   limit 1;
  -- If the clock was set back, entries must not leave the window early.
  v_now := greatest(p_now, v_last.written_at);
  v_total := coalesce(v_last.total, 0) + v_new;

  -- An account that has fewer entries than the cap is below it.
  if v_total > p_cap then
    select v_last.total - l.total into v_used
      from ledger.write_log l
     where l.account_id = p_account_id and l.written_at <= v_now - p_window
     order by l.written_at desc, l.total desc
     limit 1;
    v_used := coalesce(v_used, v_last.total, 0);
    if v_used + v_new > p_cap then
      return ledger.daily_cap_detail(p_account_id, v_total, v_used, v_now, p_cap, p_window);
    end if;
  end if;

  if v_new = 1 then
    v_entry := p_entries[1];
    insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type,
                              category, description, external_ref)
    values (p_account_id, v_entry.entry_id, p_source_id, v_entry.entry_date, v_entry.amount_pence, v_entry.type,
            v_entry.category, v_entry.description, v_entry.external_ref);
  else
    perform ledger.insert_many(p_account_id, p_source_id, p_entries);
  end if;
  insert into ledger.write_log (account_id, written_at, created, total) values (p_account_id, v_now, v_new, v_total);
  update ledger.source s
     set transaction_count = s.transaction_count + v_new
   where s.account_id = p_account_id and s.source_id = p_source_id;
  return null;
end
$$;
