-- Types of the functions that serve the requests of one account. No table holds them.

-- An entry that the account has.
create type ledger.stored_entry as (
  entry_id     uuid,
  source_id    uuid,
  entry_date   date,
  type         ledger.entry_type,
  amount_pence bigint,
  category     text,
  description  text,
  external_ref text
);

-- The account of a request, and the SHA-256 of its key.
create type ledger.caller as (
  account_id uuid,
  key_hash   bytea
);

-- A request for a page of a source's entries.
create type ledger.page_query as (
  account_id  uuid,
  key_hash    bytea,
  source_id   uuid,
  first_date  date,
  -- The page starts below this position: the last entry of the page before, or the end of the last date.
  before_date date,
  before_id   uuid,
  page_size   integer
);

-- An entry as the API shows it: row_to_json names the properties like these attributes.
create type ledger.page_entry as (
  id            uuid,
  date          date,
  type          ledger.entry_type,
  category      text,
  "amountPence" bigint,
  description   text,
  "externalRef" text
);
