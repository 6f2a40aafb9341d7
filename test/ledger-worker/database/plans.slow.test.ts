/** How Postgres carries out the worker's statements where a million entries are stored (EXPLAIN, not time). */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { startWorker } from '../../../local/servers/worker.ts';
import { createAdminClient } from '../../../proto/admin-client.ts';
import { AdminService, LedgerService, type MethodName } from '../../../proto/contract.ts';
import { openLedger } from '../../fixtures/ledger.ts';
import { RETENTION, SEALING } from './plans/admin-requests.ts';
import { type PlansDatabase, startPlansDatabase } from './plans/database.ts';
import type { LoggedPlan } from './plans/log.ts';
import type { Clients, PlannedRequest } from './plans/request.ts';
import { LEDGER_REQUESTS, REQUESTS } from './plans/requests.ts';
import {
  breaches,
  type GrowingTables,
  growingTables,
  isForTheseValues,
  namesNoAccount,
  plain,
} from './plans/rules.ts';
import { functionStatements, workerStatements } from './plans/statements.ts';

// A million entries are stored before the first test, which takes minutes on a busy machine.
setDefaultTimeout(600_000);

interface Observed {
  response: object;
  plans: LoggedPlan[];
}

let database: PlansDatabase;
let growing: GrowingTables;
const observed = new Map<string, Observed>();
/** Its statements are planned at each call; what is kept is the check of a foreign key, once in the life of an account. */
const PLANNED_ANEW = 'EraseAccount';
/** Sessions keep such plans until the tables are analysed again. */
const madeWhileEmpty: LoggedPlan[] = [];
const seenPlans = () => [...observed.values()].flatMap(({ plans }) => plans);
const seenStatements = () => [...new Set(seenPlans().map(({ statement }) => plain(statement)))];

beforeAll(async () => {
  database = await startPlansDatabase();
  await withWorker(async (clients) => {
    for (const request of REQUESTS) {
      const { plans } = await send(clients, request);
      if (request.name !== PLANNED_ANEW) madeWhileEmpty.push(...plans);
    }
    await database.openAccounts();
    for (const request of LEDGER_REQUESTS) madeWhileEmpty.push(...(await send(clients, request)).plans);
  });
  await database.fill();
  growing = await growingTables(database.sql);
  await withWorker(async (clients) => {
    for (const request of REQUESTS) observed.set(request.name, await send(clients, request));
  });
});
afterAll(() => database?.stop());

/** Entries have no index by id: once a day those of an account are filtered in its part of the primary key. */
const FILTERS_IDS = /^reads \d+ pages, .* entry entry_pkey \(\(account_id = \$1\) AND \(entry_id >= /;

describe('each statement reads only the rows of its request:', () => {
  test.each(REQUESTS.map((request) => [request.name, request] as const))('%s', (name, request) => {
    const { response, plans } = observed.get(name) as Observed;
    expect(response).toMatchObject(request.response);
    expect(plans.length).toBeGreaterThan(0);
    // Each once, however many rows a statement was carried out for.
    const found = plans.flatMap((plan) => breaches(plan, growing, request.rows));
    const isAllowed = (each: string) => name === SEALING.name && FILTERS_IDS.test(each);
    expect([...new Set(found)].filter((each) => !isAllowed(each))).toEqual([]);
  });
});

test('a plan that was made while the tables were empty is right when they are not', () => {
  expect(madeWhileEmpty.length).toBeGreaterThan(REQUESTS.length);
  const kept = madeWhileEmpty.filter((plan) => !isForTheseValues(plan));
  const found = kept.flatMap((plan) => breaches(plan, growing));
  expect([...new Set(found)]).toEqual([]);
});

test('a statement is planned for any values, and not anew for those of each call', () => {
  const found = [...observed].flatMap(([name, { plans }]) =>
    name === PLANNED_ANEW ? [] : plans.filter(isForTheseValues),
  );
  expect([...new Set(found.map(({ statement }) => plain(statement)))]).toEqual([
    // Of split_entries, which says why.
    expect.stringMatching(/from ledger\.entry e where e\.account_id = \$1 and e\.external_ref = any \(\$2\)/),
  ]);
});

const LEDGER_METHODS: Record<Capitalize<MethodName>, true> = {
  Authenticate: true,
  ListSources: true,
  ListEntries: true,
  CreateEntries: true,
};

test('every method and every RPC is covered', () => {
  const known = [LEDGER_METHODS, LedgerService, AdminService].flatMap((service) => Object.keys(service));
  expect(new Set(REQUESTS.map(({ name }) => name.split(':')[0] as string))).toEqual(
    new Set([...known, RETENTION.name, SEALING.name]),
  );
});

test('the plan of every statement of the worker is seen', () => {
  const seen = seenStatements();
  const statements = workerStatements();
  expect(statements.length).toBeGreaterThan(15);
  const unseen = statements.filter(({ pattern }) => !seen.some((text) => pattern.test(text)));
  expect(unseen.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});

/** The ends of those that run on a distributed database only, in test/citus/, and of one that is composed as a text. */
const OF_SHARDS = [
  'lock_account:  where account_id = p_account_id and idempotency_key is null',
  'write_one: from unnest($3) using p_account_id, p_write.source_id, v_new',
];

test('the plan of every statement inside of a function is seen', async () => {
  const seen = seenStatements();
  const statements = await functionStatements(database.sql);
  expect(statements.length).toBeGreaterThan(5);
  const unseen = statements.filter(({ text }) => !seen.some((statement) => statement.includes(text)));
  expect(unseen.map(({ name, text }) => `${name}: ${text}`)).toEqual(OF_SHARDS);
});

const ACCOUNTS = `select account_id as "accountId", plan, created_at as "createdAt", deleted_at as "deletedAt" from ledger.account`;
const ACTIONS = `select action_id as id, at, account_id as "accountId", actor, action, details from ledger.admin_action`;
/** Those that cannot name it: plain selects, which lock nothing. */
const OF_ANY_ACCOUNT = [
  // The list of accounts, and its next page.
  `${ACCOUNTS} order by account_id limit $1`,
  `${ACCOUNTS} where account_id > $1 order by account_id limit $2`,
  // The pass of retention over all accounts.
  'select account_id as id from ledger.account where account_id > $1 order by account_id limit $2',
  // The log of all accounts' actions, and its next page.
  `${ACTIONS} where true order by action_id desc limit $1`,
  `${ACTIONS} where true and action_id < $1 order by action_id desc limit $2`,
  // The account of a source that an operator names by its id alone.
  'select account_id as "accountId" from ledger.source where source_id = $1',
];

test('every statement names the account in each table that is distributed by it', async () => {
  const rows = await database.sql<{ table: string }[]>`
    select relname as table
      from pg_index join pg_class on pg_class.oid = indrelid
      join pg_attribute on attrelid = indrelid and attnum = any (indkey)
     where relnamespace = 'ledger'::regnamespace and indisprimary and attname = 'account_id'`;
  const tables = rows.map(({ table }) => table);
  expect(tables).toContain('entry');
  const found = [...seenPlans(), ...madeWhileEmpty].filter((plan) => namesNoAccount(plan, tables));
  expect(new Set(found.map(({ statement }) => plain(statement)))).toEqual(new Set(OF_ANY_ACCOUNT));
});

async function send(clients: Clients, request: PlannedRequest): Promise<Observed> {
  let response = {};
  const plans = await database.log.during(async () => {
    response = await request.send(clients).catch((error) => ({ failed: error.message }));
  });
  return { response, plans };
}

/** A worker with one connection: no plan is missed, and their order is that of the requests. */
async function withWorker(use: (clients: Clients) => Promise<void>): Promise<void> {
  const worker = await startWorker({ databaseUrl: database.explainedUrl, env: { DATABASE_POOL_MAX: '1' } });
  const ledger = openLedger(worker.address);
  const admin = createAdminClient(worker.adminAddress);
  try {
    await use({ ledger, admin, name: Bun.randomUUIDv7(), sql: database.sql });
  } finally {
    ledger.close();
    admin.close();
    await worker.stop();
  }
}
