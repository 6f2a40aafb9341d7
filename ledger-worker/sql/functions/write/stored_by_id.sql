-- The entries of an account that have one of the ids of a batch.
--
-- Locks: none.
create or replace function ledger.stored_by_id(p_account_id uuid, p_entries ledger.new_entry[]) returns ledger.stored_entry[]
language plpgsql stable
as $$
declare
  v_sent   ledger.new_entry;
  v_entry  ledger.stored_entry;
  v_stored ledger.stored_entry[] := '{}';
begin
  -- A statement for each id, whose plan is kept. For an array of ids Postgres may read the index of the whole account.
  foreach v_sent in array p_entries loop
    select e.entry_id, e.source_id, e.entry_date, e.type, e.amount_pence, e.category, e.description, e.external_ref
      into v_entry
      from ledger.entry e
     where e.account_id = p_account_id and e.entry_id = v_sent.entry_id;
    if found then
      v_stored := v_stored || v_entry;
    end if;
  end loop;
  return v_stored;
end
$$;
