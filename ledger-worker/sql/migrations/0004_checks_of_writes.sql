-- Postgres parses the checks of a table for each statement that writes it. Checks of domains are parsed once.

-- ledger.create_source has the rule: each write updates a row of the table.
alter table ledger.source drop constraint source_check;

-- The domains get their checks last: Postgres rewrites the table for a column whose domain has one.
create domain ledger.idempotency_key_text as text;
create domain ledger.fingerprint as bytea;
alter table ledger.idempotency_key alter column idempotency_key type ledger.idempotency_key_text;
alter table ledger.idempotency_key alter column fingerprint type ledger.fingerprint;
alter domain ledger.idempotency_key_text
  add constraint idempotency_key_text_check check (char_length(value) between 1 and 255) not valid;
alter domain ledger.fingerprint add constraint fingerprint_check check (octet_length(value) = 32) not valid;
alter table ledger.idempotency_key drop constraint idempotency_key_idempotency_key_check;
alter table ledger.idempotency_key drop constraint idempotency_key_fingerprint_check;
