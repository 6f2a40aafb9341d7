-- What operators and the app did by the Admin service: a row for each action, written by the statement that carries it out.
-- Neither keys nor their hashes, and no text of an entry or a source: rows stay when an account's data goes.
create table ledger.admin_action (
  -- References no account: it stays when the account has gone.
  account_id uuid not null,
  -- UUIDv7: ascends with time.
  action_id  uuid not null,
  at         timestamptz not null default clock_timestamp(),
  -- As the command line words it, for instance 'key revoke'.
  action     text not null check (char_length(action) between 1 and 50),
  -- Who asked for it, as far as the worker knows.
  actor      text not null check (char_length(actor) between 1 and 300),
  details    jsonb not null,
  primary key (account_id, action_id)
);

create index admin_action_by_time on ledger.admin_action (action_id);

create function ledger.refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception 'the log of actions is only added to' using errcode = 'restrict_violation';
end
$$;

create trigger action_stays before update or delete or truncate on ledger.admin_action
  for each statement execute function ledger.refuse_change();
