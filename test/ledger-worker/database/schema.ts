/** The schema of a migrated database as text: what `pg_dump --schema-only` tells, in an order of its own that stays. */
import { join } from 'node:path';
import { openDatabase, type Sql } from '../../../ledger-worker/database/connection.ts';
import { migrate } from '../../../ledger-worker/database/migrate.ts';
import { sql, system } from '../../fixtures/system.ts';

export const EXPECTED = join(import.meta.dir, 'schema.expected.txt');
export const UPDATE = 'bun test/ledger-worker/database/update-schema.ts';

/** Migrates a database of its own, and describes it. */
export async function describeSchema(): Promise<string> {
  const name = `schema_${Bun.randomUUIDv7().replaceAll('-', '')}`;
  const address = new URL(system.databaseUrl);
  address.pathname = name;
  await sql`create database ${sql(name)}`;
  const db = openDatabase({ url: address.href, poolMax: 1, statementTimeoutMs: 0 });
  try {
    await migrate(db);
    return await describe(db);
  } finally {
    await db.end();
    await sql`drop database ${sql(name)} with (force)`;
  }
}

async function describe(db: Sql): Promise<string> {
  const rows = await db<{ line: string }[]>`
    with relation as (
      select *, oid::regclass::text as name from pg_class
       where relnamespace = 'ledger'::regnamespace and relkind <> 'i'
    ),
    function as (
      select *, oid::regprocedure::text as name from pg_proc where pronamespace = 'ledger'::regnamespace
    ),
    line (line) as (
      select concat_ws(' ', 'type', typname, array_agg(enumlabel order by enumsortorder)::text)
        from pg_type join pg_enum on enumtypid = pg_type.oid
       where typnamespace = 'ledger'::regnamespace
       group by typname
      union all
      select concat_ws(' ', 'table', name, relkind::text, 'options', reloptions::text) from relation
      union all
      select concat_ws(' ', 'table', name, 'column', lpad(attnum::text, 2, '0'), attname,
                       format_type(atttypid, atttypmod), case when attnotnull then 'not null' end,
                       nullif(attidentity::text || attgenerated::text, ''), 'default ' || pg_get_expr(adbin, adrelid))
        from pg_attribute join relation on relation.oid = attrelid
        left join pg_attrdef on adrelid = attrelid and adnum = attnum
       where attnum > 0 and not attisdropped
      union all
      select concat_ws(' ', 'table', name, 'constraint', conname, pg_get_constraintdef(pg_constraint.oid))
        from pg_constraint join relation on relation.oid = conrelid
      union all
      select concat_ws(' ', 'table', name, 'index', pg_get_indexdef(indexrelid))
        from pg_index join relation on relation.oid = indrelid
      union all
      select concat_ws(' ', 'table', name, 'trigger', tgenabled::text, pg_get_triggerdef(pg_trigger.oid))
        from pg_trigger join relation on relation.oid = tgrelid
       where not tgisinternal
      union all
      -- Whole but for the body, whose place is ledger-worker.
      select concat_ws(' ', 'function', name, 'is',
                       regexp_replace(split_part(pg_get_functiondef(oid), 'AS $function$', 1), '[[:space:]]+', ' ', 'g')
                       || 'with the body', md5(prosrc))
        from function
      union all
      select concat_ws(' ', 'grant', granted.object, coalesce(rolname, 'public'), privilege_type)
        from (
          select 'table ' || name as object, coalesce(relacl, acldefault('r', relowner)) as acl from relation
          union all
          select concat_ws(' ', 'column', name, attname), attacl
            from pg_attribute join relation on relation.oid = attrelid
          union all
          select 'function ' || name, coalesce(proacl, acldefault('f', proowner)) from function
          union all
          select 'schema ' || nspname, coalesce(nspacl, acldefault('n', nspowner)) from pg_namespace
           where oid = 'ledger'::regnamespace
        ) as granted
       cross join lateral aclexplode(acl)
        left join pg_roles on pg_roles.oid = grantee
       where grantee = 0 or rolname = 'ledger_worker'
    )
    select line from line order by line collate "C"`;
  return rows.map(({ line }) => `${line.trimEnd()}\n`).join('');
}
