-- Sets the category of an entry, and logs it. It changes nothing else of the entry, no counter, and not the daily cap.
--
-- In: the account; the action's id, and who requested it; the entry's primary key; the category. Out: whether the category is valid for
-- the type of the source and of the entry; the type of the source; the entry. If the category is not valid, nothing is changed. No
-- row if the account is deleted or has no such entry, or if the source was removed.
--
-- Locks: the account's row, for no key update; then the rows that it changes.
create or replace function ledger.categorise(
  p_account_id uuid,
  p_action_id  uuid,
  p_actor      text,
  p_source_id  uuid,
  p_entry_date date,
  p_entry_id   uuid,
  p_category   text
)
returns table (is_valid boolean, source_type text, entry ledger.stored_entry)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_source_type text;
  v_entry       ledger.stored_entry;
  v_before      text;
begin
  if (ledger.lock_account(p_account_id, true)).outcome <> 'locked' then
    return;
  end if;
  select s.type into v_source_type
    from ledger.source s
   where s.account_id = p_account_id and s.source_id = p_source_id and s.removed_at is null;
  if not found then
    return;
  end if;
  select e.entry_id, e.source_id, e.entry_date, e.type, e.amount_pence, e.category, e.description, e.external_ref
    into v_entry
    from ledger.entry e
   where e.account_id = p_account_id and e.source_id = p_source_id
     and e.entry_date = p_entry_date and e.entry_id = p_entry_id;
  if not found then
    return;
  end if;
  is_valid := ledger.is_category(v_source_type, v_entry.type, p_category);
  if is_valid then
    update ledger.entry set category = p_category
     where account_id = p_account_id and source_id = p_source_id
       and entry_date = p_entry_date and entry_id = p_entry_id;
    v_before := v_entry.category;
    v_entry.category := p_category;
    perform ledger.log_action(
      p_account_id, p_action_id, p_actor, 'entry categorise',
      jsonb_build_object('sourceId', p_source_id, 'date', p_entry_date, 'entryId', p_entry_id, 'category', p_category,
                         'before', v_before));
  end if;
  source_type := v_source_type;
  entry := v_entry;
  return next;
end
$$;
