-- Creates a source, and logs it.
--
-- In: the account; the action's id, and who requested it; the new source. Out: its row; no row if there is no such account, or it is
-- deleted.
--
-- Locks: the account's row, for no key update.
create or replace function ledger.create_source(
  p_account_id    uuid,
  p_action_id     uuid,
  p_actor         text,
  p_source_id     uuid,
  p_type          text,
  p_name          text,
  p_country_code  text,
  p_role          text,
  p_share_percent double precision
)
returns setof ledger.source
language plpgsql
as $$
begin
  -- Not a check of the table: each write updates the source's row, and Postgres would parse the check for each.
  if p_country_code is not null and p_type <> 'foreign-property' then
    raise check_violation using message = 'only a foreign-property has a country';
  end if;
  if (ledger.lock_account(p_account_id, true)).outcome <> 'locked' then
    return;
  end if;
  return query
    insert into ledger.source (account_id, source_id, type, name, country_code, role, share_percent)
    values (p_account_id, p_source_id, p_type, p_name, p_country_code, p_role, p_share_percent)
    returning *;
  perform ledger.log_action(
    p_account_id, p_action_id, p_actor, 'source create', jsonb_build_object('sourceId', p_source_id));
end
$$;
