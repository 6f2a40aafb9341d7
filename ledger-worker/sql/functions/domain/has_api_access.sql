-- Generated from proto/domain.ts by ledger-worker/sql/generate.ts. Do not edit.
--
-- Whether a plan has API access.
create or replace function ledger.has_api_access(p_plan text) returns boolean
language sql immutable
as $$
  select p_plan in ('pro', 'expat', 'firm')
$$;
