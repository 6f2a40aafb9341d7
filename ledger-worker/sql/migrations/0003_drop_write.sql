-- The function of workers from before request ids, and the functions that it called in their version.
drop function if exists ledger.write(uuid, ledger.new_write[], ledger.new_entry[], integer, interval, interval, boolean);
drop function if exists ledger.lock_account(uuid, boolean);
drop function if exists ledger.new_entries(uuid, uuid, ledger.new_entry[], ledger.stored_entry[]);
drop function if exists ledger.is_stored(uuid, uuid, bytea, ledger.new_entry[]);
drop function if exists ledger.format_result(uuid, uuid, ledger.new_entry[], ledger.stored_entry[], integer, boolean, uuid[]);
drop type ledger.new_write;
