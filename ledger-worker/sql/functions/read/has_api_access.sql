-- Whether a plan has API access: as in proto/vocabulary.ts and in ledger.plan, which Citus would plan anew at each read.
create or replace function ledger.has_api_access(p_plan text) returns boolean
language sql immutable
as $$
  select p_plan in ('pro', 'expat', 'firm')
$$;
