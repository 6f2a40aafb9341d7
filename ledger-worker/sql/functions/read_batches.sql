-- Step 2 of ledger.create_batches: reads what decides on each batch, in one statement that begins after the lock.
--
-- In: the states of the rounds before, the numbers of the batches of the round, all batches, and the accounts that are locked.
-- Out: the states, those of the round among them.
--
-- Locks: none.
create or replace function ledger.read_batches(
  p_states       ledger.batch_state[],
  p_numbers      integer[],
  p_batches      ledger.batch[],
  p_locked       uuid[],
  p_window       interval,
  p_key_lifetime interval
)
returns ledger.batch_state[]
language plpgsql
as $$
declare
  v record;
begin
  -- Lookups are sub-selects: a join would be planned for the number of rows that the tables have now.
  for v in
    select ordinality as number,
           row(
             case
               when account_id <> all (p_locked) then 'lock_unavailable'
               -- Measured by this clock alone, from the arrival of the statement. Cancelling the statement is not enough: a
               -- cancellation that arrives before the statement has begun is lost.
               when clock_timestamp() - statement_timestamp() > timeout_ms * interval '1 ms' then 'expired'
               when api_access is null then 'invalid_key'
               when not api_access then 'upgrade_required'
               when kept_fingerprint <> fingerprint then 'idempotency_key_reused'
               when kept_fingerprint is not null then 'repeated'
               when source_type is null then 'source_not_found'
               else 'accepted'
             end,
             source_type, written_at, total, total - total_before_window, 0, null)::ledger.batch_state as state
      from (
        select sent.*, last.*,
               (select p.api_access
                  from ledger.api_key k
                  join ledger.account a on a.account_id = k.account_id
                  join ledger.plan p on p.plan = a.plan
                 where k.account_id = sent.account_id and k.key_hash = sent.key_hash and k.revoked_at is null)
                 as api_access,
               (select s.type
                  from ledger.source s
                 where s.account_id = sent.account_id and s.source_id = sent.source_id and s.removed_at is null)
                 as source_type,
               (select i.fingerprint
                  from ledger.idempotency_key i
                 where i.account_id = sent.account_id and i.idempotency_key = sent.idempotency_key
                   and i.used_at > clock_timestamp() - p_key_lifetime)
                 as kept_fingerprint,
               coalesce(
                 (select l.total
                    from ledger.write_log l
                   where l.account_id = sent.account_id and l.written_at <= last.written_at - p_window
                   order by l.written_at desc, l.total desc
                   limit 1),
                 0) as total_before_window
          from unnest(p_batches) with ordinality as sent
         cross join lateral (
           -- If the clock was set back, entries must not leave the window early.
           select greatest(clock_timestamp(), max(written_at)) as written_at, coalesce(max(total), 0) as total
             from (select written_at, total
                     from ledger.write_log l
                    where l.account_id = sent.account_id
                    order by written_at desc, total desc
                    limit 1) as newest
         ) as last
         where ordinality = any (p_numbers)
        -- Keeps the sub-selects from being evaluated again at each use.
        offset 0
      ) as found
  loop
    p_states[v.number] := v.state;
  end loop;
  return p_states;
end
$$;
