-- Fails on a server that does not accept writes: a standby, or one with default_transaction_read_only. It may lack entries, and
-- revocations, that the primary has acknowledged.
create or replace function ledger.require_writable() returns void
language plpgsql stable
as $$
begin
  if current_setting('transaction_read_only') = 'on' then
    raise read_only_sql_transaction using message = 'this server does not accept writes';
  end if;
end
$$;
