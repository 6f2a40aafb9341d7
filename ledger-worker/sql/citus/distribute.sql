-- Distributes the tables by account, with Citus. The owner of the schema runs it once, on a database that has the migrations of
-- this version, after `create extension citus` and after the nodes have been added.
--
-- NEVER RUN. Tests check that the keys of the tables meet Citus's documented requirements
-- (test/ledger-worker/database/citus.test.ts), and that this file names every table. No test runs it under Citus.
--
-- Every statement of the worker, also in functions, names the account in each table that is distributed. The exceptions are four
-- plain selects, which read every shard and lock nothing: the list of accounts and its next page, the pass of ledger.forget_old
-- over the accounts, and the account of a source that an operator names by its id. test/ledger-worker/database/plans.slow.test.ts
-- checks every plan against that list. The account of a key is in ledger.account_of_key, a copy on each node. `authenticate`
-- joins it to the keys of every shard, with an index search in each. To read one shard only, the worker would need two
-- statements.
--
-- The statements are not ready yet. According to its documentation, Citus refuses:
--   * row locks in more than one shard (FOR UPDATE and the like), which ledger.lock_accounts takes for batches of several
--     accounts, and correlated subqueries with a LIMIT over several shards, which the shared reads are. Statements would have to
--     be of one account, or of accounts in one shard: `keyOf` in ledger-worker/ledger/batcher.ts decides which requests share a
--     statement. A call for one account is sent to its shard whole if the function has an argument that tells the account:
--     create_distributed_function(…, distribution_arg_name, colocate_with), with an account_id beside the arrays. Without shared
--     statements a write costs three times as much while several accounts write (docs/security.md), so without Citus they stay.
--   * triggers on distributed tables. ledger.admin_action has one, so it stays on the coordinator: an action and its row, one
--     statement today, would be two statements in one transaction. Two other triggers are replaced below.

-- A foreign key in the place of two triggers. It costs more and guarantees the same.
drop trigger entry_has_source on ledger.entry;
drop trigger source_stays on ledger.source;
alter table ledger.entry add foreign key (account_id, source_id) references ledger.source;

-- The vocabulary, which every shard reads: a copy on each node.
select create_reference_table('ledger.plan');
select create_reference_table('ledger.source_type');
select create_reference_table('ledger.category');
-- The account of a key, for a statement that does not know the account yet.
select create_reference_table('ledger.account_of_key');

-- Referenced tables come first. All rows of an account are on one node.
select create_distributed_table('ledger.account', 'account_id');
select create_distributed_table('ledger.api_key', 'account_id', colocate_with => 'ledger.account');
select create_distributed_table('ledger.source', 'account_id', colocate_with => 'ledger.account');
select create_distributed_table('ledger.entry', 'account_id', colocate_with => 'ledger.account');
select create_distributed_table('ledger.write_log', 'account_id', colocate_with => 'ledger.account');
select create_distributed_table('ledger.idempotency_key', 'account_id', colocate_with => 'ledger.account');

-- These stay on the coordinator: no request of a client uses them.
--   local: ledger.migration
--   local: ledger.applied_function
--   local: ledger.retention
--   local: ledger.admin_action
