-- A write is known by the id of its request: an attempt finds whether an earlier one has committed.

-- Null in the rows of workers from before this migration.
alter table ledger.write_log add column request_id uuid;

create unique index write_log_request on ledger.write_log (account_id, request_id);

-- ledger.new_write with the id of the request.
create type ledger.write_request as (
  account_id      uuid,
  key_hash        bytea,
  source_id       uuid,
  request_id      uuid,
  -- From the arrival of the statement: after that time nothing is created.
  timeout_ms      integer,
  -- Null if the client has sent none; so is its fingerprint.
  idempotency_key text,
  fingerprint     bytea,
  -- Its entries in the array of all entries of the group, counted from 1.
  first_entry     integer,
  last_entry      integer
);
