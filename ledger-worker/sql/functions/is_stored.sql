-- Whether an earlier attempt of a refused request has stored its entries, under the ids that are sent again. A client that is
-- refused may send its entries elsewhere, so a stored request is not refused.
--
-- In: the account, the SHA-256 of the key, and the entries of the batch.
--
-- Locks: none.
create or replace function ledger.is_stored(p_account_id uuid, p_key_hash bytea, p_entries ledger.new_entry[]) returns boolean
language plpgsql stable
as $$
declare
  v_own   uuid[];
  v_known text[];
begin
  -- Nothing is looked up for a key that was never one of the account.
  perform from ledger.api_key where account_id = p_account_id and key_hash = p_key_hash;
  if not found then
    return false;
  end if;
  v_own := array(select entry_id from unnest(ledger.stored_by_id(p_account_id, p_entries)));
  if cardinality(v_own) = 0 then
    return false;
  end if;
  v_known := array(select external_ref from unnest(ledger.stored_by_ref(p_account_id, p_entries)));
  return (select bool_and(entry_id = any (v_own) or coalesce(external_ref = any (v_known), false)) from unnest(p_entries));
end
$$;
