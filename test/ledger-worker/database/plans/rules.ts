/** What a plan must not do, however much is stored: read more rows than in proportion to its request. */
import type { Sql } from '../../../../ledger-worker/database/connection.ts';
import type { LoggedPlan, PlanNode } from './log.ts';

/** The tables that grow: the others hold the words of the vocabulary. */
export interface GrowingTables {
  tables: Set<string>;
  /** Of each of their indexes, the column that stands first. */
  leadingColumns: Map<string, string>;
}

const ROWS_OF_A_TABLE_THAT_GROWS = 1_000;
// Every request may read a lookup table.
const ROWS_BESIDE = 100;
// To find a row takes one page on each level of an index, and the row's own.
const PAGES_PER_ROW = 6;
const PAGES_BESIDE = 20;
// In the order of their ids, from any of them on: no account stands for all.
const LISTED_WHOLE = ['account', 'admin_action'];

export async function growingTables(sql: Sql): Promise<GrowingTables> {
  const rows = await sql<{ table: string; index: string; column: string }[]>`
    select t.relname as table, i.relname as index, a.attname as column
      from pg_index x
      join pg_class t on t.oid = x.indrelid
      join pg_class i on i.oid = x.indexrelid
      join pg_attribute a on a.attrelid = x.indrelid and a.attnum = x.indkey[0]
     where t.relnamespace = 'ledger'::regnamespace and t.reltuples >= ${ROWS_OF_A_TABLE_THAT_GROWS}`;
  return {
    tables: new Set(rows.map(({ table }) => table)),
    leadingColumns: new Map(rows.map(({ index, column }) => [index, column])),
  };
}

/** As statements are compared: without comments, in one line. */
export const plain = (statement: string) => statement.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();

/**
 * One line for each breach; none when the plan is right.
 * @param rows of the request; absent: the plan alone, whatever it found, which would read too much as soon as there is much
 */
export function breaches({ statement, root }: LoggedPlan, growing: GrowingTables, rows?: number): string[] {
  return nodesOf(root).flatMap((node) =>
    [
      ...readsWhole(node, growing),
      ...searchesTooWidely(node, growing),
      ...(rows === undefined ? readsWholeAccount(node) : visitsTooMuch(node, rows + ROWS_BESIDE)),
    ].map((each) => `${each}: ${where(node)}, in: ${plain(statement)}`),
  );
}

function nodesOf(root: PlanNode): PlanNode[] {
  return [root, ...(root.Plans ?? []).flatMap(nodesOf)];
}

function readsWhole(node: PlanNode, { tables }: GrowingTables): string[] {
  const whole = node['Node Type'] === 'Seq Scan' && tables.has(node['Relation Name'] ?? '');
  return whole ? ['reads a whole table'] : [];
}

/** A search in an index that names what stands first in it goes straight to a place; others pass over the whole of it. */
function searchesTooWidely(node: PlanNode, { leadingColumns }: GrowingTables): string[] {
  const leading = leadingColumns.get(node['Index Name'] ?? '');
  if (leading === undefined || LISTED_WHOLE.includes(node['Relation Name'] ?? '')) return [];
  const isNamed = new RegExp(`\\b${leading} = `).test(node['Index Cond'] ?? '');
  return isNamed ? [] : [`searches an index without its first column, ${leading}`];
}

/** Where an account has very many rows, its id alone is no way to one of them. */
const GROWING_IN_AN_ACCOUNT = ['entry', 'write_log', 'idempotency_key'];

function readsWholeAccount(node: PlanNode): string[] {
  const namesOnlyAccount = /^\(account_id = [^()]+\)$/.test(node['Index Cond'] ?? '');
  const isGrowing = GROWING_IN_AN_ACCOUNT.includes(node['Relation Name'] ?? '');
  return isGrowing && namesOnlyAccount && node.Filter ? ['passes over all rows of an account'] : [];
}

function visitsTooMuch(node: PlanNode, rowsMax: number): string[] {
  const loops = node['Actual Loops'];
  const removed = (by: 'Filter' | 'Index Recheck' | 'Join Filter') => node[`Rows Removed by ${by}`] ?? 0;
  const rows =
    loops * (node['Actual Rows'] + removed('Filter') + removed('Index Recheck') + removed('Join Filter'));
  if (rows > rowsMax) return [`visits ${rows} rows, and not at most ${rowsMax}`];
  // Also counts what an index is made to pass over without that a row comes of it.
  const pagesMax = PAGES_PER_ROW * (rows + loops) + PAGES_BESIDE;
  const pages = pagesOf(node) - (node.Plans ?? []).reduce((sum, each) => sum + pagesOf(each), 0);
  const readsTooMuch = node['Index Name'] !== undefined && pages > pagesMax;
  return readsTooMuch ? [`reads ${pages} pages, and not at most ${pagesMax}`] : [];
}

// In the conditions of a scan only the columns of its own table stand without a name before them.
const NAMES_ITS_ACCOUNT = /\(account_id = | = account_id\)/;

/** Whether a scan of one of these tables has no condition on the account: it would read the rows of any. */
export function namesNoAccount({ root }: LoggedPlan, tables: readonly string[]): boolean {
  return nodesOf(root).some((node) => {
    const isScan = node['Node Type'].endsWith('Scan') && tables.includes(node['Relation Name'] ?? '');
    const conditions = [node['Index Cond'], node['TID Cond'], node.Filter].join(' ');
    return isScan && !NAMES_ITS_ACCOUNT.test(conditions);
  });
}

/** Whether the plan names an id of the request. */
export function isForTheseValues({ root }: LoggedPlan): boolean {
  return nodesOf(root).some((node) => /'::uuid/.test(node['Index Cond'] ?? ''));
}

const pagesOf = (node: PlanNode) => node['Shared Hit Blocks'] + node['Shared Read Blocks'];

function where(node: PlanNode): string {
  const names = ['Node Type', 'Relation Name', 'Index Name', 'Index Cond', 'Filter', 'Join Filter'] as const;
  return names.flatMap((name) => node[name] ?? []).join(' ');
}
