-- The accounts 1 to 3 and 1000 to 1007 of million-entries.sql, without entries: a statement has its plan made when it first runs, and for
-- an unknown key few of them run.
create temporary table few as
select number, ('00000001-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid as account_id
  from (select generate_series(1, 3) union all select generate_series(1000, 1007)) as numbers (number);

insert into ledger.account (account_id, plan) select account_id, 'pro' from few;

insert into ledger.api_key (account_id, key_id, key_hash)
select account_id, gen_random_uuid(), sha256(convert_to('key-' || number || '-' || n, 'UTF8')) from few, generate_series(0, 4) n;

insert into ledger.account_of_key (account_id, key_id, key_hash) select account_id, key_id, key_hash from ledger.api_key;

insert into ledger.source (account_id, source_id, type, name, role, share_percent)
select account_id, ('00000002-0000-7000-8000-' || lpad(to_hex(number * 3 + n), 12, '0'))::uuid, 'uk-property', 'a source', 'owner', 100
  from few, generate_series(0, 2) n;

drop table few;
