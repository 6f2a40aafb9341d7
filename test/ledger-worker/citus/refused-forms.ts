/** The statements that Citus cannot plan, found in the text of a database function by Postgres' own parser. */
import { loadModule, parsePlPgSQLSync, parseSync } from 'libpg-query';

await loadModule();

type Node = Record<string, unknown>;

/** The volatility of a function by its name, as in pg_proc: `i`, `s` or `v`; of functions of one name, the least constant. */
export type VolatilityOf = (name: string) => string;

interface Rules {
  volatilityOf: VolatilityOf;
  /** Whether the function runs with plan_cache_mode = force_generic_plan: then Citus plans it without the values. */
  keepsPlans: boolean;
}

/** Tables with a copy on each node. Statements on all other tables name the account. */
const REFERENCE_TABLES = ['account_of_key', 'upkeep', 'migration', 'applied_functions'];

/** One line for each refused form: the reason, and the statement. @param text of one or more PL/pgSQL functions */
export function refusedForms(text: string, rules: Rules): string[] {
  return statementsIn(text).flatMap(({ query, isDynamic }) => {
    // Postgres plans an executed text for its values.
    const keepsPlans = rules.keepsPlans && !isDynamic;
    const reasons = parsed(query).flatMap((statement) => reasonsOf(statement, { ...rules, keepsPlans }));
    return [...new Set(reasons)].map((reason) => `${reason}: ${query.replace(/\s+/g, ' ').trim()}`);
  });
}

interface Statement {
  query: string;
  isDynamic: boolean;
}

function statementsIn(text: string): Statement[] {
  // The parser has no catalog, and refuses an array of an unknown type as a result.
  const tree = parsePlPgSQLSync(text.replace(/returns ledger\.\w+\[\]/, 'returns text[]'));
  const found: Statement[] = [];
  for (const executed of nodes(tree, 'PLpgSQL_stmt_dynexecute')) {
    const { query } = (executed.query as Node).PLpgSQL_expr as { query: string };
    for (const { sval } of nodes(parsed(query), 'sval'))
      found.push({ query: (sval as string).replace(/%(\d\$)?I/g, 'entry'), isDynamic: true });
  }
  for (const { query } of nodes(tree, 'PLpgSQL_expr'))
    found.push({ query: query as string, isDynamic: false });
  return found.filter(({ query }) => query.includes('ledger.'));
}

/** The syntax trees of a statement, or of an expression or assignment of PL/pgSQL. */
function parsed(query: string): Node[] {
  const forms = [query, `select ${query}`, `select ${query.replace(/^[^:]*:=/, '')}`];
  for (const form of forms) {
    try {
      return (parseSync(form) as unknown as { stmts: { stmt: Node }[] }).stmts.map(({ stmt }) => stmt);
    } catch {}
  }
  throw new Error(`cannot be parsed: ${query}`);
}

/** Every object in a tree that has this member: the member's value if that is an object, else the object itself. */
function nodes(tree: unknown, member: string): Node[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const own = (tree as Node)[member];
  const here = own === undefined ? [] : [typeof own === 'object' ? (own as Node) : (tree as Node)];
  return [...here, ...Object.values(tree).flatMap((each) => nodes(each, member))];
}

const has = (tree: unknown, ...members: string[]) => members.some((each) => nodes(tree, each).length > 0);

function reasonsOf(statement: Node, { volatilityOf, keepsPlans }: Rules): string[] {
  const tables = nodes(statement, 'RangeVar').concat(targetsOf(statement));
  if (!tables.some(({ schemaname }) => schemaname === 'ledger')) return [];
  const functions = (tree: unknown) =>
    nodes(tree, 'FuncCall').map((call) => nodes(call.funcname, 'sval').at(-1)?.sval as string);
  const isVolatile = (tree: unknown) => functions(tree).some((name) => volatilityOf(name) === 'v');
  /** Only columns, variables, constants and casts. */
  const isPlain = (tree: unknown) => !has(tree, 'FuncCall', 'A_Expr', 'SubLink', 'SQLValueFunction');

  const reasons: [boolean, string][] = [
    [has(statement, 'MergeStmt'), 'merge'],
    [has(statement, 'CurrentOfExpr'), 'a cursor that writes'],
    [
      nodes(statement, 'CommonTableExpr').some((each) => has(each, 'InsertStmt', 'UpdateStmt', 'DeleteStmt')),
      'a modifying CTE needs every node',
    ],
  ];
  for (const insert of nodes(statement, 'InsertStmt')) {
    const hasValues = has(insert.selectStmt, 'valuesLists');
    const updates = nodes(insert.onConflictClause, 'ResTarget');
    reasons.push(
      [hasValues && has(insert, 'SubLink'), 'a subquery in an insert of values'],
      [!isPlain(updates), 'a function, operator or subquery in `on conflict do update`'],
      [keepsPlans && !hasValues, 'an insert of a query in a kept plan'],
    );
  }
  for (const update of nodes(statement, 'UpdateStmt')) {
    const { targetList, whereClause } = update;
    const conditional = [...nodes(update, 'CaseExpr'), ...nodes(update, 'CoalesceExpr')];
    reasons.push(
      [isVolatile(targetList) || isVolatile(whereClause), 'a volatile function in an update'],
      [!conditional.every(isPlain), 'a function or operator in case or coalesce of an update'],
      [
        (targetList as Node[]).some((each) => (each.ResTarget as Node).name === 'account_id'),
        'another account',
      ],
    );
  }
  for (const { whereClause } of nodes(statement, 'DeleteStmt'))
    reasons.push([isVolatile(whereClause), 'a volatile function in a delete']);
  reasons.push(
    [!namesAccounts(statement), 'no condition `account_id = ` a variable'],
    [
      keepsPlans &&
        (tables.length > 1 || has(statement, 'SubLink', 'RangeSubselect', 'RangeFunction', 'withClause')),
      'more than one table, or a subquery, in a kept plan',
    ],
  );
  return reasons.flatMap(([isRefused, reason]) => (isRefused ? reason : []));
}

/** The tables that a statement changes. */
const targetsOf = (statement: Node) =>
  ['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'].flatMap((kind) =>
    nodes(statement, kind).map(({ relation }) => relation as Node),
  );

/** Whether each part of a statement that has a table names the account: then one node can carry it out. */
function namesAccounts(statement: Node): boolean {
  const isOfAccounts = (table: Node) =>
    table.schemaname === 'ledger' && !REFERENCE_TABLES.includes(table.relname as string);
  const inserts = nodes(statement, 'InsertStmt').filter(({ relation }) => isOfAccounts(relation as Node));
  if (!inserts.every(({ cols }) => nodes(cols, 'ResTarget').some(({ name }) => name === 'account_id')))
    return false;
  const parts = ['SelectStmt', 'UpdateStmt', 'DeleteStmt'].flatMap((kind) => nodes(statement, kind));
  return parts
    .filter(({ fromClause, relation }) =>
      [...ownTables(fromClause), ...(relation ? [relation as Node] : [])].some(isOfAccounts),
    )
    .every(({ whereClause }) => conditionsOf(whereClause as Node | undefined).some(namesAccount));
}

/** The tables of a FROM clause, without the ones of its subqueries. */
function ownTables(fromClause: unknown): Node[] {
  return ((fromClause ?? []) as Node[]).flatMap(({ RangeVar, JoinExpr }) => {
    const { larg, rarg } = (JoinExpr ?? {}) as Node;
    return [...(RangeVar ? [RangeVar as Node] : []), ...(JoinExpr ? ownTables([larg, rarg]) : [])];
  });
}

/** The conditions that all must hold. */
function conditionsOf(where: Node | undefined): Node[] {
  const { boolop, args } = (where?.BoolExpr ?? {}) as { boolop?: string; args?: Node[] };
  return boolop === 'AND_EXPR' ? (args ?? []).flatMap(conditionsOf) : where ? [where] : [];
}

function namesAccount(condition: Node): boolean {
  const { kind, lexpr, rexpr } = (condition.A_Expr ?? {}) as Record<string, Node | string>;
  const isEqual = kind === 'AEXPR_OP' && nodes((condition.A_Expr as Node).name, 'sval')[0]?.sval === '=';
  const column = nodes(lexpr, 'ColumnRef')
    .flatMap(({ fields }) => nodes(fields, 'sval'))
    .at(-1)?.sval;
  return isEqual && column === 'account_id' && has([rexpr], 'ParamRef', 'ColumnRef');
}
