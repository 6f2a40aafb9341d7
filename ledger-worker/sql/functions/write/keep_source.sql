-- Called by the trigger source_stays of ledger.source: fails with restrict_violation, unless the source's account is being erased.
--
-- Locks: none.
create or replace function ledger.keep_source() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' and (select erasing_at from ledger.account where account_id = old.account_id) is not null then
    return old;
  end if;
  raise exception 'a source is removed by setting removed_at: its entries are tax records and stay'
    using errcode = 'restrict_violation';
end
$$;
