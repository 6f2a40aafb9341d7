-- Whether an earlier attempt of a refused write has stored its entries, under the ids that are sent again. A client that is refused
-- may send its entries elsewhere, so a stored write is not refused.
--
-- In: the account, the source, the SHA-256 of the key, and the entries of the write.
create or replace function ledger.is_stored(
  p_account_id uuid,
  p_source_id  uuid,
  p_key_hash   bytea,
  p_entries    ledger.new_entry[]
)
returns boolean
language plpgsql stable
as $$
declare
  v_entry   ledger.new_entry;
  v_has_own boolean := false;
begin
  -- A key that never belonged to the account gets no lookup.
  perform from ledger.api_key where account_id = p_account_id and key_hash = p_key_hash;
  if not found then
    return false;
  end if;
  -- One by one: most refused writes are new, and then the first lookup is enough.
  foreach v_entry in array p_entries loop
    perform from ledger.entry
      where account_id = p_account_id and source_id = p_source_id
        and entry_date = v_entry.entry_date and entry_id = v_entry.entry_id;
    if found then
      v_has_own := true;
    else
      perform from ledger.entry
        where account_id = p_account_id and external_ref = v_entry.external_ref and external_ref is not null;
      if not found then
        return false;
      end if;
    end if;
  end loop;
  return v_has_own;
end
$$;
