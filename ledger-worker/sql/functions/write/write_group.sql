-- Creates the entries of a group of writes in one transaction. Each write is created whole or not at all, and has an outcome of its
-- own. The result is as if the writes had been made one after the other. Those of an account keep their order: if its lock is
-- unavailable for one of them, it is for the next ones too, also where it has been released meanwhile.
--
-- In: p_account_id: an account of the group. In a distributed database, the call runs on its node, which has all accounts of the group.
-- p_writes: the writes. p_entries: the entries of all writes, in the order of the writes. ledger.write_one has the other parameters.
--
-- Out: one row for each write, by its number, counted from 1, with the outcome of ledger.write_one. The whole group fails with
-- unique_violation if the id of an entry is stored in the same source on the same date. A write with the id of another one gets that one's
-- outcome: a caller must not use an id twice.
--
-- Locks: the account of each write in turn. With p_wait_for_lock all writes are of one account; without, no lock is waited for. So two
-- groups cannot deadlock.
--
-- Isolation: read committed. Each statement, also in the called functions, sees the commits before its beginning. The called
-- functions run under the settings of this one.
--
-- On a distributed database the call runs whole on the account's node. Every statement is of one table and names the account by a
-- variable: Citus keeps the plans of such statements, and plans all others at each call.
create or replace function ledger.write_group(
  p_account_id    uuid,
  p_writes        ledger.write_request[],
  p_entries       ledger.sent_entry[],
  p_cap           integer,
  p_window        interval,
  p_key_lifetime  interval,
  p_wait_for_lock boolean
)
returns table (n integer, outcome text, new_entries integer, known_entries integer, detail json, known_json text)
language plpgsql
-- Planning costs more than execution, so plans are kept. A plan made while a table is empty must be right when it is not.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  v_write       ledger.write_request;
  v_result      record;
  v_unavailable uuid[] := '{}';
begin
  n := 0;
  foreach v_write in array p_writes loop
    n := n + 1;
    if v_write.account_id = any (v_unavailable) then
      return query select n, 'lockUnavailable', null::integer, null::integer, null::json, null::text;
      continue;
    end if;
    v_result := ledger.write_one(
      v_write.account_id, v_write, p_entries[v_write.first_entry : v_write.last_entry],
      p_cap, p_window, p_key_lifetime, p_wait_for_lock);
    outcome := v_result.outcome;
    new_entries := v_result.new_entries;
    known_entries := v_result.known_entries;
    detail := v_result.detail;
    known_json := v_result.known_json;
    return next;
    if outcome = 'lockUnavailable' then
      v_unavailable := v_unavailable || v_write.account_id;
    end if;
  end loop;
end
$$;
