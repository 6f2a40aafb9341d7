-- For workers of the previous release: see ledger.delete_expired.
create or replace function ledger.forget_old(
  p_every        interval,
  p_writes_kept  interval,
  p_key_lifetime interval,
  p_accounts     integer,
  p_rows         integer
)
returns boolean
language sql
as $$
  select ledger.delete_expired(null, p_every, p_writes_kept, p_key_lifetime, p_accounts, p_rows)
$$;
