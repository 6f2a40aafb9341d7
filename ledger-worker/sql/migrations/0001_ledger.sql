-- The tables of the ledger. All of them but the vocabulary are keyed by account_id, so that they can be distributed by it.
-- The functions are in ../functions, and are applied after the migrations.

-- Words that the rules below need. The worker fills these three tables from proto/vocabulary.ts at its start.
create table ledger.plan (
  plan       text primary key,
  api_access boolean not null
);

create table ledger.source_type (
  source_type text primary key
);

create type ledger.entry_type as enum ('income', 'expense');

create table ledger.category (
  source_type text not null references ledger.source_type,
  entry_type  ledger.entry_type not null,
  category    text not null,
  primary key (source_type, entry_type, category)
);

-- What the triggers below call must be there before them. The text of these functions is in ../functions; until it is applied,
-- in the step that follows, they refuse every change. A trigger belongs to its table and is created once; with its function it
-- would be created again, and wait for every writer of the table, whenever the function's text changes.
create function ledger.require_sources() returns trigger language plpgsql as
  'begin raise exception ''the functions have not been applied''; end';
create function ledger.keep_source() returns trigger language plpgsql as
  'begin raise exception ''the functions have not been applied''; end';
create function ledger.refuse_change() returns trigger language plpgsql as
  'begin raise exception ''the functions have not been applied''; end';

-- One row per customer. Its row lock makes the writes of one account serial.
create table ledger.account (
  account_id uuid primary key,
  plan       text not null references ledger.plan,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- From then on the account cannot be restored: its rows are being deleted.
  erasing_at timestamptz,
  constraint account_erased_check check (erasing_at is null or deleted_at is not null)
);

-- API keys. The key itself is nowhere: only its SHA-256.
create table ledger.api_key (
  account_id uuid not null references ledger.account,
  key_id     uuid not null,
  key_hash   bytea not null check (octet_length(key_hash) = 32),
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- Revoked by the deletion of its account: it comes back when the account is restored. Every statement sees a revoked key,
  -- so that nothing else needs to know of deleted accounts.
  stopped_with_account boolean not null default false,
  primary key (account_id, key_id),
  -- The hash stands first because it alone is in every request; collisions of SHA-256 are not a concern.
  unique (key_hash, account_id)
);

-- The account of each key, for a request that no cache knows and for an operator who revokes a key by its id. The statements
-- that follow name the account, so that the tables that grow can be distributed by it; this one is small, and each node has a
-- copy. No row is ever changed: whether the key works, its row in ledger.api_key says.
create table ledger.account_of_key (
  key_hash   bytea primary key check (octet_length(key_hash) = 32),
  key_id     uuid not null unique,
  account_id uuid not null
);

-- To erase an account.
create index account_of_key_by_account on ledger.account_of_key (account_id);

-- Income sources: properties and businesses, set up in the app.
create table ledger.source (
  account_id        uuid not null references ledger.account,
  source_id         uuid not null,
  type              text not null references ledger.source_type,
  name              text not null check (char_length(name) between 1 and 200),
  -- ISO 3166-1 alpha-2, for overseas property only.
  country_code      text check (country_code ~ '^[A-Z]{2}$'),
  role              text not null check (role in ('owner', 'sharer')),
  share_percent     double precision not null check (share_percent between 0 and 100),
  -- Always the number of the source's rows in ledger.entry: kept in the transaction that inserts them.
  transaction_count bigint not null default 0 check (transaction_count >= 0),
  created_at        timestamptz not null default now(),
  -- A removed source is hidden from the API; its entries are tax records and stay.
  removed_at        timestamptz,
  primary key (account_id, source_id),
  check (country_code is null or type = 'foreign-property')
)
-- Each write changes transaction_count. With room on the page the new version of the row stays there, and no index changes.
with (fillfactor = 70);

-- An operator names a source without its account.
create index source_by_id on ledger.source using hash (source_id);

create trigger source_stays before delete or update of account_id, source_id on ledger.source
  for each row execute function ledger.keep_source();

-- The ledger. Rows are added by ledger.insert_entries only.
create table ledger.entry (
  account_id   uuid not null,
  -- UUIDv7, minted by the gateway before its first attempt: the same id is the same entry.
  entry_id     uuid not null,
  -- A foreign key would look the source up for each entry, at a tenth of the cost of a batch. The trigger entry_has_source looks
  -- it up once for all entries that a statement adds, and source_stays keeps the source.
  source_id    uuid not null,
  entry_date   date not null check (entry_date between '0001-01-01' and '9999-12-31'),
  amount_pence bigint not null check (amount_pence between 1 and 9007199254740991),
  type         ledger.entry_type not null,
  -- Null while the entry waits in the review queue.
  category     text,
  description  text check (char_length(description) <= 500),
  external_ref text check (char_length(external_ref) between 1 and 180),
  -- Read backwards, the order of a page: newest date first, newest created first within a date.
  primary key (account_id, source_id, entry_date, entry_id)
);

-- An id stands for one entry, whatever date and source it is sent with. The id stands first although the account would narrow the
-- search more: ids ascend with time, so that new ones go to the end of the index. It makes a batch of 500 take 6 to 8 % longer,
-- and 13 to 16 % with the account first; a single entry takes no longer.
create unique index entry_id on ledger.entry (entry_id, account_id);

-- No reference is stored twice in an account, whatever the source.
create unique index entry_external_ref on ledger.entry (account_id, external_ref) where external_ref is not null;

-- The review queue: an account's entries without a category, in the order of a page. It is no list of its own: an entry is in the
-- queue for as long as it has no category.
create index entry_uncategorised on ledger.entry (account_id, source_id, entry_date desc, entry_id desc)
  where category is null;

create trigger entry_has_source after insert on ledger.entry
  referencing new table as added
  for each statement execute function ledger.require_sources();

-- One row per write that created something: what the daily cap counts. The entries of any window are the difference of two
-- totals, however many writes lie between them. Rows older than the window may be deleted, all but the newest of them.
create table ledger.write_log (
  account_id uuid not null,
  -- Taken behind the account's lock, and never earlier than that of the write before.
  written_at timestamptz not null,
  created    integer not null check (created > 0),
  -- Entries created in the account up to and including this write: ascends where instants are equal.
  total      bigint not null,
  primary key (account_id, written_at, total)
);

-- Idempotency keys: what a client sends along so that it may repeat a request whose entries carry no reference.
--
-- One row per key and account, for 24 hours. It is written in the transaction that creates the entries, behind the account's
-- lock, so a repeated request finds either all of the first or nothing of it. A refused request leaves no row: it created
-- nothing, and may be sent again, corrected, under the same key.
create table ledger.idempotency_key (
  account_id      uuid not null,
  idempotency_key text not null check (char_length(idempotency_key) between 1 and 255),
  -- SHA-256 of the source and the entries: a key stands for one request.
  fingerprint     bytea not null check (octet_length(fingerprint) = 32),
  -- The ids in the response to the first request, one for each of its entries; null where all entries were known already, and
  -- the response does not depend on ids.
  entry_ids       uuid[],
  used_at         timestamptz not null,
  primary key (account_id, idempotency_key)
);

-- To delete those that are older than their lifetime.
create index idempotency_key_age on ledger.idempotency_key (account_id, used_at);

-- What ledger.create_batches is called with. No table holds these types. A release that changes one adds a type and a function with
-- new names: workers of the release before still call with this one.

-- A request to create entries in a source.
create type ledger.batch as (
  account_id      uuid,
  key_hash        bytea,
  source_id       uuid,
  -- From the arrival of the statement: after that time nothing is created.
  timeout_ms      integer,
  -- Null if the client has sent none; so is its fingerprint.
  idempotency_key text,
  fingerprint     bytea,
  -- Its entries in the array of all entries, counted from 1.
  first_entry     integer,
  last_entry      integer
);

-- An entry of a batch.
create type ledger.new_entry as (
  -- The number of its batch, counted from 1.
  batch        integer,
  entry_id     uuid,
  entry_date   date,
  type         ledger.entry_type,
  amount_pence bigint,
  category     text,
  description  text,
  external_ref text
);

-- What the steps of ledger.create_batches pass on about a batch.
create type ledger.batch_state as (
  -- An outcome of ledger.create_batches, or:
  --   accepted     no check has refused the batch so far
  --   repeated     the request was carried out before, under the same idempotency key
  --   stored       a check refuses the batch, but an earlier attempt of the request has stored its entries
  --   other_round  the batch belongs to another round
  -- The first three are returned as `created`.
  outcome     text,
  source_type text,
  -- When the entries are created: read after the lock, and never earlier than the account's last write.
  written_at  timestamptz,
  -- Entries that the account had created before, in all and within the window of the daily cap.
  total       bigint,
  used        bigint,
  -- Entries of the batch that are new.
  added       integer,
  detail      json
);

-- How far the workers have come with ledger.forget_old, together: one worker at a time, over all accounts, again and again.
create table ledger.retention (
  job           text primary key,
  -- The last account that the pass under way has done; null: none is under way.
  after_account uuid,
  finished_at   timestamptz not null
);
insert into ledger.retention (job, finished_at) values ('forget', '-infinity');

-- What operators and the app did by the Admin service: a row for each action, written by the statement that carries it out. It
-- holds neither keys nor their hashes, and no text of an entry or a source: rows stay when an account's data is erased.
create table ledger.admin_action (
  -- No foreign key: the row stays when the account is erased.
  account_id uuid not null,
  -- UUIDv7: ascends with time.
  action_id  uuid not null,
  at         timestamptz not null default clock_timestamp(),
  -- As the command line names it, for instance 'key revoke'.
  action     text not null check (char_length(action) between 1 and 50),
  -- Who requested it, as far as the worker knows.
  actor      text not null check (char_length(actor) between 1 and 300),
  details    jsonb not null,
  primary key (account_id, action_id)
);

create index admin_action_by_time on ledger.admin_action (action_id);

create trigger action_stays before update or delete or truncate on ledger.admin_action
  for each statement execute function ledger.refuse_change();

-- The text of each function that the database has, by the SHA-256 of its file.
create table ledger.applied_function (
  name       text primary key,
  checksum   text not null,
  applied_at timestamptz not null default now()
);

-- A worker with MIGRATE=never runs as a login role that is a member of ledger_worker: ledger.grant_to_worker says what that may
-- do. Where the owner may not make roles, somebody else makes it.
do $$
begin
  if not exists (select from pg_roles where rolname = 'ledger_worker') then
    create role ledger_worker nologin;
  end if;
exception
  -- The role is the whole server's: a migration of another database may have been first.
  when insufficient_privilege or duplicate_object or unique_violation then null;
end
$$;
