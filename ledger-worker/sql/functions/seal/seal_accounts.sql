-- Seals accounts, one after the other, until it has p_rows entries. One call for many: a call costs more than the seal of a day.
--
-- In: the accounts; the day of the pass. Out: how many of the accounts have no entry left to seal; the digests of the new seals, in
-- their order.
--
-- Locks: as ledger.seal_entries, for each account.
create or replace function ledger.seal_accounts(
  p_accounts  uuid[],
  p_pass      date,
  p_rows      integer,
  out done    integer,
  out digests bytea[]
)
language plpgsql
as $$
declare
  v_account uuid;
  v_result  record;
  v_rows    integer := 0;
begin
  done := 0;
  digests := '{}';
  foreach v_account in array p_accounts loop
    v_result := ledger.seal_entries(v_account, p_pass, p_rows);
    if (v_result.seal).digest is not null then
      digests := digests || (v_result.seal).digest;
      v_rows := v_rows + (v_result.seal).entries;
    end if;
    exit when v_result.has_more;
    done := done + 1;
    exit when v_rows >= p_rows;
  end loop;
end
$$;
