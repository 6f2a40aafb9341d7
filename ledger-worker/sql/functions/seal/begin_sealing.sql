-- Begins a pass of sealing over all accounts, unless one has begun for the same day.
--
-- In: the time of the caller. Out: the last day in UTC that ended a day ago by both clocks, if the caller is to make the pass; otherwise
-- null. One clock that is ahead thus seals no day that still gets entries.
--
-- Locks: the row in ledger.upkeep, if a pass is due. Of two workers one gets the day.
--
-- Runs with the rights of the owner: the role of the worker may not change when passes begin.
create or replace function ledger.begin_sealing(p_now timestamptz) returns date
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_latest constant timestamptz := date_trunc('day', clock_timestamp() - interval '2 days', 'UTC');
  v_day    constant timestamptz := least(v_latest, date_trunc('day', p_now - interval '2 days', 'UTC'));
begin
  -- Without a lock first: most calls find no pass due. One is due if both clocks were set back since the last.
  if exists (select from ledger.upkeep where task = 'sealing' and last_pass between v_day and v_latest) then
    return null;
  end if;
  update ledger.upkeep set last_pass = v_day where task = 'sealing' and last_pass not between v_day and v_latest;
  return case when found then (v_day at time zone 'UTC')::date end;
end
$$;
