-- Begins a pass of retention over all accounts, unless one has begun less than p_every ago. Out: whether the caller is to make it.
--
-- Locks: the row in ledger.upkeep, if a pass is due. Of two workers one gets true.
--
-- Runs with the rights of the owner: the role of the worker may not change when passes begin.
create or replace function ledger.begin_retention(p_every interval) returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  -- Without a lock first: most calls find no pass due. One is due if the clock was set back since the last; another worker may have begun
  -- one after v_now.
  if exists (
    select from ledger.upkeep where task = 'retention' and last_pass > v_now - p_every and last_pass < v_now + p_every
  ) then
    return false;
  end if;
  update ledger.upkeep set last_pass = v_now
   where task = 'retention' and (last_pass <= v_now - p_every or last_pass >= v_now + p_every);
  return found;
end
$$;
