-- Called by the trigger entry_has_source of ledger.entry: fails with foreign_key_violation if one of the rows that the statement
-- has added, in the transition table `added`, names a source that its account does not have.
--
-- Locks: none. A source is deleted with its account only.
create or replace function ledger.require_sources() returns trigger
language plpgsql
set enable_seqscan = off
as $$
begin
  if exists (select from (select distinct account_id, source_id from added) as named
              where (select true from ledger.source s
                      where s.account_id = named.account_id and s.source_id = named.source_id) is null) then
    raise exception 'an entry names a source that its account does not have'
      using errcode = 'foreign_key_violation', constraint = 'entry_has_source';
  end if;
  return null;
end
$$;
