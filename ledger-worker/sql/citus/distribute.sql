-- Distributes the books by account, with Citus. Once, by the owner of the schema, on a database that the migrations of this version
-- have been applied to, after `create extension citus` and the nodes have been added.
--
-- NEVER RUN. There was no Citus where this was written: tests hold the keys of the tables below against what Citus asks of them
-- (test/ledger-worker/database/citus.test.ts), and that this file names every table. They do not hold that Citus takes it.
--
-- Every statement of the worker, those in functions included, names the account in each table that is distributed, but for four plain
-- selects, which read every shard and lock nothing: the list of accounts and its next page, the pass of ledger.forget_old over them,
-- and the account of a source that an operator names by its id. test/ledger-worker/database/plans.test.ts holds every plan to that list.
-- What a key belongs to, ledger.account_of_key tells, a copy on each node. `authenticate` joins it to the keys of every shard, each of
-- which enters an index; to ask one shard only, the worker would ask twice.
--
-- The statements are not ready yet. Citus refuses, by its documentation:
--   * to lock rows in more than one shard (FOR UPDATE and its kin), which ledger.create_batches does for a group of several
--     accounts, and correlated subqueries with a LIMIT over several shards, which the reads of a group are.
--     A group would have to be of one account, or of accounts in one shard: `keyOf` in ledger-worker/ledger/batcher.ts tells who shares one.
--     A group of one is sent to its shard whole once the function is told which argument decides:
--     create_distributed_function(…, distribution_arg_name, colocate_with), with an account_id of its own beside the arrays.
--     Groups that share no statement cost a write three times as much where several accounts write at once (docs/security.md), so
--     without Citus nothing speaks for it.
--   * triggers on distributed tables: ledger.admin_action has one. It stays on the coordinator, so that an action and its row, one
--     statement today, would be two statements in one transaction. Two others are replaced below.

-- In the place of triggers the foreign key that they had replaced: it costs more, and holds the same.
drop trigger entry_has_source on ledger.entry;
drop trigger source_stays on ledger.source;
alter table ledger.entry add foreign key (account_id, source_id) references ledger.source;

-- Words that every shard looks up: a copy on each node.
select create_reference_table('ledger.plan');
select create_reference_table('ledger.source_type');
select create_reference_table('ledger.category');
-- Likewise what leads to the account for who does not know it yet.
select create_reference_table('ledger.account_of_key');

-- What is referenced comes first. Rows of one account are on one node, whatever the table.
select create_distributed_table('ledger.account', 'account_id');
select create_distributed_table('ledger.api_key', 'account_id', colocate_with => 'ledger.account');
select create_distributed_table('ledger.source', 'account_id', colocate_with => 'ledger.account');
select create_distributed_table('ledger.entry', 'account_id', colocate_with => 'ledger.account');
select create_distributed_table('ledger.write_log', 'account_id', colocate_with => 'ledger.account');
select create_distributed_table('ledger.idempotency_key', 'account_id', colocate_with => 'ledger.account');

-- Stay on the coordinator: no statement of a client touches them.
--   local: ledger.migration
--   local: ledger.applied_function
--   local: ledger.retention
--   local: ledger.admin_action
