-- The books. Every table but the vocabulary is keyed by account_id first, so that they can be distributed by it.

-- Words the rules below need. The worker fills these three from proto/vocabulary.ts at its start.
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

-- One row per customer. Its row lock is what makes the writes of one account serial.
create table ledger.account (
  account_id uuid primary key,
  plan       text not null references ledger.plan,
  created_at timestamptz not null default now()
);

-- API keys. The key itself is nowhere: only its SHA-256.
create table ledger.api_key (
  account_id uuid not null references ledger.account,
  key_id     uuid not null,
  key_hash   bytea not null check (octet_length(key_hash) = 32),
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (account_id, key_id),
  -- The hash stands first because a request knows nothing else; collisions of SHA-256 are not a concern.
  unique (key_hash, account_id)
);

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
);

-- The ledger. Rows are only ever added by ledger.create_entries.
create table ledger.entry (
  account_id   uuid not null,
  -- UUIDv7, minted by the gateway before its first attempt: the same id is the same entry.
  entry_id     uuid not null,
  source_id    uuid not null,
  entry_date   date not null check (entry_date between '0001-01-01' and '9999-12-31'),
  amount_pence bigint not null check (amount_pence between 1 and 9007199254740991),
  type         ledger.entry_type not null,
  -- Null while the entry waits in the review queue.
  category     text,
  description  text check (char_length(description) <= 500),
  external_ref text check (char_length(external_ref) between 1 and 180),
  primary key (account_id, entry_id),
  foreign key (account_id, source_id) references ledger.source
);

-- No reference is stored twice in an account, whatever the source.
create unique index entry_external_ref on ledger.entry (account_id, external_ref) where external_ref is not null;

-- The order in which a source is read: newest date first, newest created first within a date.
create index entry_page on ledger.entry (account_id, source_id, entry_date desc, entry_id desc);

-- One row per write that created something: what the daily cap counts. Entries of any window are the difference of two
-- totals, however many writes lie between them. Rows older than the window may go, all but the newest of them.
create table ledger.write_log (
  account_id uuid not null,
  -- Taken behind the account's lock, and never earlier than that of the write before.
  written_at timestamptz not null,
  created    integer not null check (created > 0),
  -- Entries created in the account up to and including this write: ascends where instants are equal.
  total      bigint not null,
  primary key (account_id, written_at, total)
);
