-- Lists the shards of the books, each as an account id that belongs to it. Which id that is never changes. If the books are not
-- distributed, the result is one null.
create or replace function ledger.list_shards() returns setof uuid
language plpgsql
as $$
declare
  v_shards integer := 0;
begin
  if to_regclass('pg_catalog.pg_dist_shard') is not null then
    select count(*) into v_shards from pg_dist_shard where logicalrelid = 'ledger.account'::regclass;
  end if;
  if v_shards = 0 then
    return query select null::uuid;
    return;
  end if;
  -- Of so many ids each shard has some: that a shard of average size has none has a probability of e^-40.
  return query
    select distinct on (shard) id
      from (select n, id, get_shard_id_for_distribution_column('ledger.account', id) as shard
              from (select n, md5(n::text)::uuid as id from generate_series(1, 40 * v_shards) as n) as ids) as placed
     order by shard, n;
end
$$;
