-- Generated from proto/domain.ts by ledger-worker/sql/generate.ts. Do not edit.
--
-- The oldest contract of proto/domain.ts whose workers these functions serve.
create or replace function ledger.oldest_contract() returns integer
language sql immutable
as $$
  select 1
$$;
