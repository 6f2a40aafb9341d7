-- Distributes every table and function of the schema that is not distributed yet. `bun run distribute` runs it first; on a
-- distributed database each migration runs it again, after every statement and after the functions.
--
-- A table whose primary key contains account_id is distributed by it: all rows of an account are on one node. Every other table is a
-- reference table, with a copy on each node. A function whose first parameter is p_account_id runs on the account's node; every
-- other function runs where it is called.
do $distribute$
declare
  v_table    regclass;
  v_by       boolean;
  v_type     regtype;
  v_function regprocedure;
begin
  loop
    -- Reference tables first, then ledger.account, then the tables that are colocated with it. A table follows the tables it
    -- references.
    select pg_class.oid, by_account
      into v_table, v_by
      from pg_class
     cross join lateral (
       select exists (select from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
                       where indrelid = pg_class.oid and indisprimary and attname = 'account_id') as by_account
     ) as kind
     where relnamespace = 'ledger'::regnamespace and relkind = 'r'
       and not exists (select from pg_dist_partition where logicalrelid = pg_class.oid)
       and not exists (select from pg_constraint
                        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid
                          and not exists (select from pg_dist_partition where logicalrelid = confrelid))
     order by by_account, relname <> 'account', relname
     limit 1;
    exit when not found;
    if v_by then
      perform create_distributed_table(v_table, 'account_id', colocate_with =>
        case when v_table = 'ledger.account'::regclass then 'none' else 'ledger.account' end);
    else
      perform create_reference_table(v_table);
    end if;
  end loop;

  -- Citus copies a type to the nodes for a function that takes it, but not for one that takes an array of it.
  for v_type in
    select pg_type.oid
      from pg_type left join pg_class on pg_class.oid = typrelid
     where typnamespace = 'ledger'::regnamespace and (typtype = 'e' or relkind = 'c')
       and not exists (select from pg_dist_object where classid = 'pg_type'::regclass and objid = pg_type.oid)
  loop
    execute format('create function ledger.copy_type(%s) returns void language sql as $$ $$', v_type);
    drop function ledger.copy_type;
  end loop;

  for v_function, v_by in
    select pg_proc.oid, by_account
      from pg_proc
     cross join lateral (
       select coalesce(proargnames[1] = 'p_account_id' and proargtypes[0] = 'uuid'::regtype, false) as by_account
     ) as kind
     where pronamespace = 'ledger'::regnamespace
       and not exists (select from pg_dist_object
                        where classid = 'pg_proc'::regclass and objid = pg_proc.oid
                          and (distribution_argument_index is not null or not by_account))
  loop
    if v_by then
      perform create_distributed_function(v_function, 'p_account_id', colocate_with => 'ledger.account');
    else
      perform create_distributed_function(v_function);
    end if;
  end loop;
end
$distribute$
