-- Books of a few accounts, each with rows in every table.
insert into ledger.account (account_id, plan) select md5('account ' || n)::uuid, 'pro' from generate_series(1, 50) as n;
insert into ledger.account_of_key (key_hash, key_id, account_id)
select sha256(('key ' || n)::bytea), md5('key ' || n)::uuid, md5('account ' || n)::uuid from generate_series(1, 50) as n;
insert into ledger.api_key (account_id, key_id, key_hash) select account_id, key_id, key_hash from ledger.account_of_key;
insert into ledger.source (account_id, source_id, type, name, role, share_percent, transaction_count)
select account_id, md5('source ' || account_id)::uuid, 'uk-property', 'Flat', 'owner', 100, 100 from ledger.account;
insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type, category, description, external_ref)
select account_id, md5('entry ' || account_id || n)::uuid, source_id, date '2026-01-01' + n, n, 'income',
       case when n % 2 = 0 then 'periodAmount' end, 'Rent ' || n, 'ref ' || n
  from ledger.source, generate_series(1, 100) as n;
-- Ten that no daily cap counts any more.
insert into ledger.write_log (account_id, written_at, created, total)
select account_id, now() - (20 - n) * interval '6 hours', 5, n * 5 from ledger.account, generate_series(1, 20) as n;
insert into ledger.idempotency_key (account_id, idempotency_key, fingerprint, used_at)
select account_id, 'key ' || n, sha256('request'), now() - n * interval '10 hours' from ledger.account, generate_series(1, 5) as n;
insert into ledger.admin_action (account_id, action_id, action, actor, details)
select account_id, md5('action ' || account_id)::uuid, 'account create', 'a test', '{}' from ledger.account;
