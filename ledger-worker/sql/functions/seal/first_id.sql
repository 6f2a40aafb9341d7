-- The lowest UUIDv7 of a day in UTC.
create or replace function ledger.first_id(p_day date) returns uuid
language sql immutable
as $$
  select (lpad(to_hex(extract(epoch from p_day::timestamp)::bigint * 1000), 12, '0') || repeat('0', 20))::uuid
$$;
