-- Seals the entries of an account with ids up to the day of the pass that no seal has: docs/seals.md has the form. Of more than p_rows
-- entries it seals as many days as have at most p_rows, or one.
--
-- In: the account; the day of the pass, of ledger.begin_sealing. Out: the new seal, null if there is none; whether the account may
-- have more.
--
-- Locks: the account's row, for key share: no write waits for it. It skips an account that another transaction erases.
--
-- Runs with the rights of the owner: the role of the worker can neither change nor remove a seal.
create or replace function ledger.seal_entries(
  p_account_id uuid,
  p_pass       date,
  p_rows       integer,
  out seal     ledger.seal,
  out has_more boolean
)
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set datestyle = 'ISO'
-- The filter on ids is carried out in the index.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
  -- Later, a write of the day could still be on its way.
  v_last_day constant date := (date_trunc('day', clock_timestamp() - interval '2 days', 'UTC') at time zone 'UTC')::date;
  v_last  ledger.seal;
  v_new   ledger.seal;
  v_left  bigint;
  v_from  uuid;
  v_next  uuid;
  v_until uuid;
  v_lines text;
begin
  has_more := false;
  perform from ledger.account where account_id = p_account_id and erasing_at is null for key share skip locked;
  if not found then
    return;
  end if;
  select * into v_last from ledger.seal where account_id = p_account_id order by day desc limit 1;
  v_new.account_id := p_account_id;
  v_new.pass := p_pass;
  v_new.day := least(p_pass, v_last_day);
  select sum(transaction_count) - coalesce(v_last.total, 0) into v_left from ledger.source where account_id = p_account_id;
  if v_left is null or v_left <= 0 or v_last.day >= v_new.day then
    return;
  end if;

  v_from := coalesce(ledger.first_id(v_last.day + 1), '00000000-0000-0000-0000-000000000000');
  v_until := ledger.first_id(v_new.day + 1);
  if v_left > p_rows then
    select entry_id into v_next
      from ledger.entry
     where account_id = p_account_id and entry_id >= v_from and entry_id < v_until
     order by entry_id offset p_rows limit 1;
    if found then
      has_more := true;
      -- The days before the entry that is too many; if that is the first day, the whole day.
      v_new.day := (to_timestamp(('x' || left(replace(v_next::text, '-', ''), 12))::bit(48)::bigint / 1000) at time zone 'UTC')::date;
      if exists (select from ledger.entry
                  where account_id = p_account_id and entry_id >= v_from and entry_id < ledger.first_id(v_new.day)) then
        v_new.day := v_new.day - 1;
      end if;
      v_until := ledger.first_id(v_new.day + 1);
    end if;
  end if;

  -- In the order of the primary key: nothing is sorted.
  select count(*), sum(amount_pence) filter (where type = 'income'), sum(amount_pence) filter (where type = 'expense'),
         string_agg(line, E'\n')
    into v_new.entries, v_new.income, v_new.expense, v_lines
    from (select type, amount_pence,
                 concat_ws('|', entry_id, source_id, entry_date, type, amount_pence, coalesce(char_length(description), -1),
                           coalesce(char_length(external_ref), -1), description, external_ref) as line
            from ledger.entry
           where account_id = p_account_id and entry_id >= v_from and entry_id < v_until
           order by source_id, entry_date, entry_id
          offset 0) as entry;
  if v_new.entries = 0 then
    return;
  end if;
  v_new.income := coalesce(v_new.income, 0);
  v_new.expense := coalesce(v_new.expense, 0);
  v_new.total := coalesce(v_last.total, 0) + v_new.entries;
  v_new.digest := sha256(convert_to(
    v_lines || E'\n' || concat_ws('|', p_account_id, v_new.day, v_new.entries, v_new.income, v_new.expense,
                                  coalesce(encode(v_last.digest, 'hex'), '-')), 'UTF8'));
  insert into ledger.seal (account_id, day, pass, entries, total, income, expense, digest)
  values (p_account_id, v_new.day, p_pass, v_new.entries, v_new.total, v_new.income, v_new.expense, v_new.digest)
  on conflict (account_id, day) do nothing;
  if found then
    seal := v_new;
  end if;
end
$$;
