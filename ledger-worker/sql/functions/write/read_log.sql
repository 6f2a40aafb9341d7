-- What an account has created, before a write.
--
-- In: the account, the time, the entries of the write, and the daily cap. Out: the time of the write; the entries created in all; and
-- those created within the window of the cap, or more if the write is below the cap all the same.
--
-- Locks: none.
create or replace function ledger.read_log(
  p_account_id   uuid,
  p_now          timestamptz,
  p_size         integer,
  p_cap          integer,
  p_window       interval,
  out written_at timestamptz,
  out total      bigint,
  out used       bigint
)
language plpgsql
as $$
#variable_conflict use_variable
declare
  v_total_before_window bigint;
begin
  select l.written_at, l.total into written_at, total
    from ledger.write_log l
   where l.account_id = p_account_id
   order by l.written_at desc, l.total desc
   limit 1;
  -- If the clock was set back, entries must not leave the window early.
  written_at := greatest(p_now, written_at);
  total := coalesce(total, 0);
  used := total;
  if total + p_size > p_cap then
    select l.total into v_total_before_window
      from ledger.write_log l
     where l.account_id = p_account_id and l.written_at <= read_log.written_at - p_window
     order by l.written_at desc, l.total desc
     limit 1;
    used := total - coalesce(v_total_before_window, 0);
  end if;
end
$$;
