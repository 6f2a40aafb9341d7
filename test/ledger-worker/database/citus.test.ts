/** What Citus requires of tables that are distributed by account. Nothing here runs under Citus itself. */
import { expect, test } from 'bun:test';
import { openDatabase } from '../../../ledger-worker/database/connection.ts';
import { sql, system } from '../../fixtures/system.ts';
import { DISTRIBUTED, FILE, LOCAL, REFERENCE } from './citus-file.ts';

test('the file names every table of the schema once, and no other', async () => {
  const tables = await sql<{ name: string }[]>`
    select 'ledger.' || relname as name from pg_class
     where relnamespace = 'ledger'::regnamespace and relkind in ('r', 'p')`;
  expect([...DISTRIBUTED, ...REFERENCE, ...LOCAL].sort()).toEqual(tables.map(({ name }) => name).sort());
  expect(DISTRIBUTED.length).toBeGreaterThan(5);
  expect(FILE.match(/^select /gm)).toHaveLength(DISTRIBUTED.length + REFERENCE.length);
});

test.each(DISTRIBUTED)(
  '%s: the account stands in every row, and in every key that is unique',
  async (table) => {
    const columns = await sql<{ type: string; required: boolean }[]>`
    select atttypid::regtype::text as type, attnotnull as required from pg_attribute
     where attrelid = ${table}::regclass and attname = 'account_id'`;
    expect([...columns]).toEqual([{ type: 'uuid', required: true }]);

    const keys = await sql<{ name: string; hasAccount: boolean }[]>`
    select indexrelid::regclass::text as name, exists (
             select from pg_attribute a
              where a.attrelid = i.indrelid and a.attname = 'account_id'
                -- What is only included does not make it unique.
                and a.attnum = any ((i.indkey::smallint[])[0 : i.indnkeyatts - 1])
           ) as "hasAccount"
      from pg_index i where indrelid = ${table}::regclass and (indisunique or indisexclusion)`;
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter(({ hasAccount }) => !hasAccount)).toEqual([]);
  },
);

/** The rows of `query` after the part of the file that does not call Citus; then everything is rolled back. */
async function asDistributed<Row extends object>(query: string): Promise<Row[]> {
  const own = FILE.match(/^(drop|alter) [^;]*;$/gm) ?? [];
  const connection = openDatabase({ url: system.databaseUrl, poolMax: 1, statementTimeoutMs: 0 });
  try {
    await connection.unsafe(['begin;', ...own].join('\n'));
    return await connection.unsafe<Row[]>(query);
  } finally {
    // Never committed.
    await connection.end();
  }
}

interface ForeignKey {
  name: string;
  from: string;
  to: string;
  /** The account of the one row is that of the other. */
  joinsAccounts: boolean;
}

const foreignKeys = () =>
  asDistributed<ForeignKey>(`
    select conname as name, 'ledger.' || own.relname as "from", 'ledger.' || referenced.relname as "to", exists (
             select from unnest(conkey, confkey) as pair (of_own, of_other)
               join pg_attribute a on a.attrelid = conrelid and a.attnum = of_own and a.attname = 'account_id'
               join pg_attribute b on b.attrelid = confrelid and b.attnum = of_other and b.attname = 'account_id'
           ) as "joinsAccounts"
      from pg_constraint
      join pg_class own on own.oid = conrelid
      join pg_class referenced on referenced.oid = confrelid
     where contype = 'f' and connamespace = 'ledger'::regnamespace`);

test('what a distributed table references is of the same account, or a copy on every node', async () => {
  const keys = (await foreignKeys()).filter(({ from }) => DISTRIBUTED.includes(from));
  expect(keys.map(({ from, to }) => `${from} ${to}`)).toContain('ledger.entry ledger.source');
  const bad = keys.filter(
    ({ to, joinsAccounts }) => !(REFERENCE.includes(to) || (DISTRIBUTED.includes(to) && joinsAccounts)),
  );
  expect(bad).toEqual([]);
});

test('no other table references a distributed one', async () => {
  const keys = (await foreignKeys()).filter(({ from }) => !DISTRIBUTED.includes(from));
  expect(keys.filter(({ to }) => !REFERENCE.includes(to))).toEqual([]);
});

test('what is referenced is distributed before what references it', async () => {
  const order = [...REFERENCE, ...DISTRIBUTED];
  const keys = (await foreignKeys()).filter(({ from, to }) => order.includes(from) && from !== to);
  expect(keys.filter(({ from, to }) => order.indexOf(to) > order.indexOf(from))).toEqual([]);
});

test('no distributed table has a trigger or a rule', async () => {
  const found = await asDistributed<{ name: string; table: string }>(`
    select name, 'ledger.' || relname as "table"
      from (select tgname as name, tgrelid as oid from pg_trigger where not tgisinternal
            union all
            select rulename, ev_class from pg_rewrite where rulename <> '_RETURN') as found
      join pg_class using (oid)`);
  expect(found.map(({ table }) => table)).toContain('ledger.admin_action');
  expect(found.filter(({ table }) => DISTRIBUTED.includes(table))).toEqual([]);
});
