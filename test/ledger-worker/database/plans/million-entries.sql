-- A million entries, as years of writes leave them: those of all accounts mingled in the order of time, their dates
-- ascending with it. Accounts 1 and 2 hold 40,000 each, the other 3,998 about 230.
--
-- Everything has a number, and an id or a key made from it: see ids.ts.

create function pg_temp.id(kind integer, number bigint) returns uuid language sql immutable as
$$ select (lpad(kind::text, 8, '0') || '-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid $$;

insert into ledger.account (account_id, plan)
select pg_temp.id(1, number), 'pro' from generate_series(1, 4000) number;

-- Five keys for each account, the last of them revoked.
insert into ledger.api_key (account_id, key_id, key_hash, revoked_at)
select pg_temp.id(1, number), pg_temp.id(3, number * 5 + n), sha256(convert_to('key-' || number || '-' || n, 'UTF8')),
       case when n = 4 then now() end
  from generate_series(1, 4000) number, generate_series(0, 4) n;

-- Account 3 makes a new key every day, and revokes the one before.
insert into ledger.api_key (account_id, key_id, key_hash, revoked_at)
select pg_temp.id(1, 3), pg_temp.id(6, n), sha256(convert_to('key of day ' || n, 'UTF8')), case when n < 1000 then now() end
  from generate_series(1, 1000) n;

insert into ledger.account_of_key (account_id, key_id, key_hash) select account_id, key_id, key_hash from ledger.api_key;

-- Three sources for each account, one of each type.
insert into ledger.source (account_id, source_id, type, name, role, share_percent)
select pg_temp.id(1, number), pg_temp.id(2, number * 3 + n), (array['uk-property', 'foreign-property', 'self-employment'])[n + 1],
       'source ' || n, 'owner', 100
  from generate_series(1, 4000) number, generate_series(0, 2) n;

-- To make the indexes afterwards takes a third of the time that it takes to keep them.
create temporary table put_back (position integer, statement text);
insert into put_back
select 1, format('alter table ledger.entry add constraint %I %s', conname, pg_get_constraintdef(oid))
  from pg_constraint where conrelid = 'ledger.entry'::regclass and contype in ('p', 'u')
union all
select 2, indexdef
  from pg_indexes
 where schemaname = 'ledger' and tablename = 'entry'
   and indexname not in (select conname from pg_constraint where conrelid = 'ledger.entry'::regclass)
union all
select 3, format('alter table ledger.entry add constraint %I %s not valid', conname, pg_get_constraintdef(oid))
  from pg_constraint where conrelid = 'ledger.entry'::regclass and contype = 'f';

do $$
declare
  name text;
begin
  for name in select conname from pg_constraint
               where conrelid = 'ledger.entry'::regclass and contype in ('p', 'u', 'f') loop
    execute format('alter table ledger.entry drop constraint %I', name);
  end loop;
  for name in select indexname from pg_indexes where schemaname = 'ledger' and tablename = 'entry' loop
    execute format('drop index ledger.%I', name);
  end loop;
end
$$;

insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type,
                          category, description, external_ref)
select pg_temp.id(1, account), pg_temp.id(4, n), pg_temp.id(2, account * 3 + n / 25 % 3),
       date '2020-01-01' + n / 500, 1 + n % 100000, 'expense',
       case when n % 3 <> 0 then 'professionalFees' end,
       case when n % 2 = 0 then 'description of entry ' || n end,
       case when n % 4 <> 0 then 'ref-' || n end
  from (select n, case n % 25 when 0 then 1 when 1 then 2 else 3 + n % 3998 end as account
          from generate_series(0, 999999) n);

do $$
declare
  statement text;
begin
  for statement in select p.statement from put_back p order by position loop
    execute statement;
  end loop;
end
$$;

-- A write a minute, over days; of accounts 1 and 2 only 900 are past their time. Account 2 has written all that a day allows, one by one, in the
-- last 20 hours.
insert into ledger.write_log (account_id, write_id, written_at, created, total)
select pg_temp.id(1, account), gen_random_uuid(),
       case when account = 2 and n > 15000 then now() - interval '20 hours' + (n - 15000) * interval '14 seconds'
            when account <= 2 and n > 900 then now() - interval '47 hours' + (n - 900) * interval '4 seconds'
            else now() - interval '20 days' + n * interval '1 minute' end,
       1, n
  from generate_series(1, 4000) account, generate_series(1, case when account <= 2 then 20000 else 40 end) n;

-- Of accounts 1 and 2, too, 900 are past their time: one call deletes up to 1,000, and a second one would pass over the deleted rows.
insert into ledger.idempotency_key (account_id, idempotency_key, fingerprint, entry_ids, used_at)
select pg_temp.id(1, account), 'key ' || n, sha256(convert_to(n::text, 'UTF8')), array[pg_temp.id(4, n)],
       now() - case when n <= 900 then interval '30 hours' else interval '10 hours' end + n * interval '1 second'
  from generate_series(1, 4000) account, generate_series(1, case when account <= 2 then 20000 else 20 end) n;

insert into ledger.admin_action (account_id, action_id, actor, action, details)
select pg_temp.id(1, account), pg_temp.id(5, account * 10 + n), 'an operator', 'key create', '{}'
  from generate_series(1, 4000) account, generate_series(0, 9) n;
