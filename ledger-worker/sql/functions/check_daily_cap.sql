-- Step 5 of ledger.create_batches: refuses the batches that would take their account beyond the daily cap. What a batch would
-- create is counted before anything is inserted: an insert that is rolled back leaves dead rows.
--
-- In: the states, the numbers of the batches of the round, all batches, all entries, and the cap. Out: the states, `daily_cap`
-- with its detail among them.
--
-- Locks: none.
create or replace function ledger.check_daily_cap(
  p_states  ledger.batch_state[],
  p_numbers integer[],
  p_batches ledger.batch[],
  p_entries ledger.new_entry[],
  p_cap     integer,
  p_window  interval
)
returns ledger.batch_state[]
language plpgsql
as $$
declare
  n         integer;
  v_batch   ledger.batch;
  v_state   ledger.batch_state;
  v_creates bigint;
begin
  foreach n in array p_numbers loop
    -- How many of its entries are new matters only if the whole batch does not fit.
    continue when p_states[n].outcome <> 'accepted'
               or p_states[n].used + p_batches[n].last_entry - p_batches[n].first_entry + 1 <= p_cap;
    v_batch := p_batches[n];
    v_state := p_states[n];

    select count(*) filter (where external_ref is null and stored is null)
           + count(distinct external_ref) filter (where known is null)
      into v_creates
      from (select external_ref,
                   case when external_ref is null then
                     (select true
                        from ledger.entry e
                       where e.account_id = v_batch.account_id and e.source_id = v_batch.source_id
                         and e.entry_date = sent.entry_date and e.entry_id = sent.entry_id)
                   end as stored,
                   (select true
                      from ledger.entry e
                     where e.account_id = v_batch.account_id and e.external_ref = sent.external_ref
                       and e.external_ref is not null)
                   as known
              from unnest(p_entries[v_batch.first_entry : v_batch.last_entry]) as sent) as counted;
    continue when v_creates = 0 or v_state.used + v_creates <= p_cap;

    p_states[n].outcome := 'daily_cap';
    p_states[n].detail := json_build_object(
      'fitsNow', greatest(p_cap - v_state.used, 0),
      -- Until the write leaves the window after which this batch fits.
      'retryAfterMs', (
        select ceil(extract(epoch from written_at + p_window - clock_timestamp()) * 1000)
          from ledger.write_log l
         where l.account_id = v_batch.account_id
           and l.written_at > v_state.written_at - p_window
           and v_state.total - l.total + v_creates <= p_cap
         order by l.written_at, l.total
         limit 1));
  end loop;
  return p_states;
end
$$;
