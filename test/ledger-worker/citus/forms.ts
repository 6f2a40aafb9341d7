/** Examples of statements in a function, by their form: the ones that Citus refuses, and similar ones that it can plan. */

const INSERT_KEY =
  'insert into ledger.idempotency_key (account_id, idempotency_key, fingerprint, entry_ids, used_at) values';
const ON_CONFLICT = 'on conflict (account_id, idempotency_key) do update set';
const INSERT_WRITE = 'insert into ledger.write_log (account_id, write_id, written_at, created, total)';

/** Refused with every plan. Under a kept plan some of them crash the server. */
export const REFUSED: Record<string, string> = {
  'an array of a subquery in the values of an insert': `${INSERT_KEY}
    (p_account_id, 'k', v_hash, array(select id from unnest(v_ids) as id), v_now);`,
  'a scalar subquery in the values of an insert': `${INSERT_WRITE}
    values (p_account_id, v_id, v_now, (select count(*) from unnest(v_ids)), 1);`,
  'an exists in the values of an insert': `${INSERT_WRITE}
    values (p_account_id, v_id, v_now, case when exists (select from unnest(v_ids)) then 1 else 2 end, 1);`,
  'a subquery in the returned values of an insert': `${INSERT_WRITE}
    values (p_account_id, v_id, v_now, 1, 1) returning (select 1) into v_n;`,
  'a stable function in `on conflict`': `${INSERT_KEY}
    (p_account_id, 'k', v_hash, null, v_now) ${ON_CONFLICT} used_at = now();`,
  'a volatile function in `on conflict`': `${INSERT_KEY}
    (p_account_id, 'k', v_hash, null, v_now) ${ON_CONFLICT} used_at = clock_timestamp();`,
  'the time in an update': `
    update ledger.account set deleted_at = clock_timestamp() where account_id = p_account_id;`,
  'a random id in an update': `
    update ledger.write_log set write_id = gen_random_uuid() where account_id = p_account_id;`,
  'the time in the condition of an update': `
    update ledger.account set plan = 'pro' where account_id = p_account_id and created_at < clock_timestamp();`,
  'a function in a case of an update': `
    update ledger.entry set category = case when ledger.is_category('uk-property', type, 'other') then 'other' end
     where account_id = p_account_id;`,
  'another account in an update': `
    update ledger.entry set account_id = v_id where account_id = p_account_id;`,
  'the time in the condition of a delete': `
    delete from ledger.idempotency_key where account_id = p_account_id and used_at < clock_timestamp();`,
  'a merge': `
    merge into ledger.source as s using (select p_account_id as account_id, v_id as source_id) as other
       on s.account_id = other.account_id and s.source_id = other.source_id
     when matched then update set transaction_count = 1;`,
};

/** Refused in a function with plan_cache_mode = force_generic_plan. */
export const KEPT: Record<string, string> = {
  'an insert of a query': `${INSERT_WRITE} select p_account_id, id, v_now, 1, 1 from unnest(v_ids[1:1]) as id;`,
  'a subquery of another table': `
    update ledger.source as s
       set transaction_count = (select count(*) from ledger.entry as e where e.account_id = p_account_id)
     where s.account_id = p_account_id;`,
  'a subquery of the same table': `
    delete from ledger.write_log
     where account_id = p_account_id
       and total in (select total from ledger.write_log where account_id = p_account_id limit 1);`,
  'a join of two tables': `
    select count(*) into v_n
      from ledger.account as a join ledger.source as s on s.account_id = a.account_id
     where a.account_id = p_account_id;`,
  'a join with an array': `
    select count(*) into v_n from ledger.entry as e join unnest(v_ids) as id on id = e.entry_id
     where e.account_id = p_account_id;`,
  'a CTE': `
    with found as (select plan from ledger.account where account_id = p_account_id) select count(*) into v_n from found;`,
  'a union': `
    select count(*) into v_n
      from (select 1 from ledger.account where account_id = p_account_id
            union all select 1 from ledger.source where account_id = p_account_id) as rows;`,
};

/** Planned, also in a kept plan. */
export const PLANNED: Record<string, string> = {
  'an array in a variable': `
    v_ids := array(select id from unnest(v_ids) as id);
    ${INSERT_KEY} (p_account_id, v_id, v_hash, v_ids, v_now) ${ON_CONFLICT} used_at = excluded.used_at;`,
  'the time in the values of an insert': `${INSERT_WRITE}
    values (p_account_id, gen_random_uuid(), clock_timestamp(), 1, 1);`,
  'a time in a variable': `
    update ledger.account set deleted_at = coalesce(deleted_at, v_now) where account_id = p_account_id;`,
  'an insert of a query that is executed': `
    execute 'insert into ledger.write_log (account_id, write_id, written_at, created, total)
             select $1, id, $2, 1, 1 from unnest($3) as id' using p_account_id, v_now, v_ids[1:1];`,
  'rows in an order': `
    select transaction_count into v_n from ledger.source where account_id = p_account_id order by source_id limit 1;`,
  'a lock': `
    perform from ledger.account where account_id = p_account_id for no key update skip locked;`,
};

/** A function `ledger.<name>` of an account, with this statement. */
export const functionOf = (name: string, statement: string, settings = '') => `
create function ledger.${name}(p_account_id uuid) returns void language plpgsql ${settings} as $$
declare
  v_n    bigint;
  v_id   uuid := gen_random_uuid();
  v_ids  uuid[] := array[gen_random_uuid(), gen_random_uuid()];
  v_now  timestamptz := clock_timestamp();
  v_hash bytea := sha256('x');
begin
  ${statement}
end
$$`;
