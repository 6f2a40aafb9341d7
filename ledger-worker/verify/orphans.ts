/** Finds rows of accounts that do not exist. */
import type { Sql } from '../database/connection.ts';
import type { Finding } from './finding.ts';

/**
 * Checks every table that has rows of accounts.
 * @param only an account. Absent: all
 */
export async function verifyOrphans(sql: Sql, only?: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const table of await tablesOfAccounts(sql)) {
    const rows = sql(`ledger.${table}`);
    const suspects =
      only === undefined
        ? await sql<
            { id: string }[]
          >`select distinct account_id as id from ${rows} except select account_id from ledger.account`
        : [{ id: only }];
    for (const { id } of suspects) {
      // Again, in one snapshot: on several servers the statement above reads the tables at different times.
      const [row] = await sql<[{ count: number }]>`
        select count(*) from ${rows}
         where account_id = ${id} and not exists (select from ledger.account where account_id = ${id})`;
      if (row.count === 0) continue;
      findings.push({
        check: 'orphan',
        accountId: id,
        fact: `ledger.${table} has ${row.count} rows of it, and it does not exist`,
        expected: 0,
        found: row.count,
        remedy: 'Restore the row of ledger.account from a backup.',
      });
    }
  }
  findings.push(...(await verifyErased(sql, only)));
  return findings;
}

/** Finds accounts that are gone although no action of the log has erased them. */
async function verifyErased(sql: Sql, only?: string): Promise<Finding[]> {
  const suspects =
    only === undefined
      ? await sql<{ id: string }[]>`
          select account_id as id from ledger.admin_action
           group by account_id having not bool_or(action = 'account erase')
          except select account_id from ledger.account`
      : [{ id: only }];
  const findings: Finding[] = [];
  for (const { id } of suspects) {
    const [row] = await sql<[{ count: number; erasures: number }]>`
      select count(*), count(*) filter (where action = 'account erase') as erasures from ledger.admin_action
       where account_id = ${id} and not exists (select from ledger.account where account_id = ${id})`;
    if (row.count === 0 || row.erasures > 0) continue;
    findings.push({
      check: 'orphan',
      accountId: id,
      fact: `the action log has ${row.count} actions in it and no erasure, and it does not exist`,
      expected: 1,
      found: 0,
      remedy: 'Restore the rows of the account from a backup.',
    });
  }
  return findings;
}

/**
 * Finds accounts that have anchors and neither rows nor an erasure in the action log.
 * @param anchors by account. @param only an account. Absent: all
 */
export async function lostAccounts(
  sql: Sql,
  anchors: ReadonlyMap<string, { size: number }> = new Map(),
  only?: string,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [accountId, { size }] of anchors) {
    if (only !== undefined && only !== accountId) continue;
    const known = await sql`
      select from ledger.account where account_id = ${accountId} union all
      select from ledger.admin_action where account_id = ${accountId}`;
    if (known.length > 0) continue;
    const fact = `the anchors have ${size} seals of it, and it does not exist`;
    findings.push({
      check: 'orphan',
      accountId,
      fact,
      expected: size,
      found: 0,
      remedy: 'Restore the account from a backup.',
    });
  }
  return findings;
}

/** Without ledger.account, and without the action log, which stays when an account is erased. */
async function tablesOfAccounts(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name
      from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = 'ledger'::regnamespace and relkind = 'r' and attname = 'account_id'
       and relname not in ('account', 'admin_action')
       -- Citus has a table for each shard.
       and relname !~ '_[0-9]{6,}$'
     order by name`;
  return rows.map(({ name }) => name);
}
