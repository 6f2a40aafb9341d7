-- The detail of a write that the daily cap refuses: {fitsNow, retryAfterMs}.
--
-- In: the account; the total of its created entries with this write; the number of entries created within the window; the time of
-- the write.
create or replace function ledger.daily_cap_detail(
  p_account_id uuid,
  p_total      bigint,
  p_used       bigint,
  p_now        timestamptz,
  p_cap        integer,
  p_window     interval
)
returns json
language plpgsql stable
as $$
declare
  v_leaves_at timestamptz;
begin
  -- The write that must leave the window for this write to fit.
  select l.written_at + p_window into v_leaves_at
    from ledger.write_log l
   where l.account_id = p_account_id and l.written_at > p_now - p_window and l.total >= p_total - p_cap
   order by l.written_at, l.total
   limit 1;
  return json_build_object(
    'fitsNow', greatest(p_cap - p_used, 0),
    'retryAfterMs', ceil(extract(epoch from v_leaves_at - clock_timestamp()) * 1000));
end
$$;
