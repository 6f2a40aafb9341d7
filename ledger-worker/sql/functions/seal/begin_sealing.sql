-- Begins a pass of sealing over all accounts, unless one has begun for the same day. Out: the last day in UTC that ended a day ago, if
-- the caller is to make the pass; otherwise null.
--
-- Locks: the row of ledger.retention. Of two workers one gets the day.
--
-- Runs with the rights of the owner: the role of the worker may not change when passes begin.
create or replace function ledger.begin_sealing() returns date
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_day constant timestamptz := date_trunc('day', clock_timestamp() - interval '2 days', 'UTC');
begin
  -- Without a lock first: most calls find no pass due.
  if exists (select from ledger.retention where id = 2 and begun_at >= v_day) then
    return null;
  end if;
  update ledger.retention set begun_at = v_day where id = 2 and begun_at < v_day;
  return case when found then (v_day at time zone 'UTC')::date end;
end
$$;
