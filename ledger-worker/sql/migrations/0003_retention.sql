-- If the books are distributed, each shard has a pass of its own, on the shard's node: a node that is down stops no other pass. The
-- row has an account_id of the shard. Books that are not distributed have one row.
alter table ledger.retention add column account_id uuid not null default '00000000-0000-0000-0000-000000000000';
alter table ledger.retention drop constraint retention_pkey;
alter table ledger.retention add primary key (account_id, job);
