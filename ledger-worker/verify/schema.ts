/** Compares the schema of a database with the schema of this version. */
import { readFileSync } from 'node:fs';
import type { Sql } from '../database/connection.ts';
import { missingIn } from '../database/migrate.ts';
import { functions, newestVersion, SCHEMA_FILE, SQL_FOLDER } from '../database/schema-sql.ts';
import { describeSchema } from './describe-schema.ts';
import type { Finding } from './finding.ts';

const APPLY_AGAIN =
  "Apply the functions and the rights again: `update ledger.applied_functions set checksum = ''`, then `bun run migrate`.";
const BY_HAND = 'Find out who changed it, and change it back as the owner of the schema.';

/** @throws Error in one sentence if the database is of a newer version, or has no schema */
export async function verifySchema(sql: Sql): Promise<Finding[]> {
  const missing = await missingIn(sql, SQL_FOLDER);
  if (missing[0] === 'all of it') throw new Error('The database has no schema ledger.');
  if (missing.length > 0) {
    return [
      {
        check: 'schema',
        fact: `the schema is older than this version, it lacks ${missing.join(', ')}`,
        remedy: 'Run `bun run migrate`, and check again.',
      },
    ];
  }
  await requireSameVersion(sql);
  const [{ hasRole, hasCitus }] = await sql<[{ hasRole: boolean; hasCitus: boolean }]>`
    select exists (select from pg_roles where rolname = 'ledger_worker') as "hasRole",
           to_regclass('pg_catalog.pg_dist_partition') is not null as "hasCitus"`;
  const written = readFileSync(SCHEMA_FILE, 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => hasRole || !line.includes(' ledger_worker '));
  const found = await describeSchema(sql);
  const ours = new Set(written.map(nameOf));
  const [expected, actual] = hasCitus ? [withoutValidity(written), withoutValidity(found)] : [written, found];
  return [
    ...without(expected, actual).map((line) => ({
      fact: `the schema does not have this as it was made: ${line}`,
      remedy: /^(grant |function )/.test(line) ? APPLY_AGAIN : BY_HAND,
    })),
    ...without(actual, expected)
      .filter((line) => !MAY_BE_ADDED.test(line) || (IS_DEFINER.test(line) && !ours.has(nameOf(line))))
      .map((line) => ({ fact: `the schema has this in addition: ${line}`, remedy: BY_HAND })),
  ].map((finding) => ({ check: 'schema', ...finding }));
}

/**
 * Functions of former versions stay in upgraded databases, operators add indexes, and Citus has a table for each shard. An invalid index
 * is none of these.
 */
const MAY_BE_ADDED = /^(grant )?function |^table \w+ index (?!.* invalid$)|_\d{6,}\b/;

/** Such a function runs with the rights of its owner: no operator needs another one. */
const IS_DEFINER = /^function .* SECURITY DEFINER /;

/** The name of a function, without its parameters. */
const nameOf = (line: string) => /^function (\w+)\(/.exec(line)?.[1] ?? '';

/**
 * The lines of a server of Citus as they are compared. Citus validates the domains that it copies to a node, and does not validate the foreign
 * keys of tables that have no rows beside their shards. A constraint holds for new rows in both cases.
 */
export const withoutValidity = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/ NOT VALID$/, ''));

function without(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line));
}

async function requireSameVersion(sql: Sql): Promise<void> {
  const [row] = await sql<[{ isNewer: boolean }]>`
    select (select max(version) from ledger.migration) > ${newestVersion(SQL_FOLDER)}
        or (select max(version) from ledger.applied_functions) > ${functions(SQL_FOLDER).version} as "isNewer"`;
  if (row.isNewer) throw new Error('The database is of a newer version: check it with that version.');
}
