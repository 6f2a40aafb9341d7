/** The action log: one row for each change, no row for a failed one, and no updates. */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { hostname } from 'node:os';
import { status } from '@grpc/grpc-js';
import { createAdminClient } from '../../proto/admin-client.ts';
import { hashApiKey } from '../../proto/api-key.ts';
import { AdminService, uncapitalize } from '../../proto/contract.ts';
import { entry, type Json, TestAccount } from '../fixtures/client.ts';
import { backendsWaiting, locks } from '../fixtures/locks.ts';
import { admin, citus, sql, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { json, run } from './command-line.ts';

setDefaultTimeout(60_000);

const CLERK = 'Zoë 💷 of the app';
const clerk = createAdminClient(system.adminAddress, CLERK);
afterEach(() => locks.release());
afterAll(() => clerk.close());

const UNKNOWN = Bun.randomUUIDv7();
const SOURCE = { type: 'uk-property', name: 'Flat at a secret place', role: 'owner', sharePercent: 100 };

/** An account with a source, a key and an entry without a category. */
async function someAccount() {
  const account = await TestAccount.create();
  const { accountId, key } = account;
  const secret = entry({ description: 'secret text', externalRef: 'secret reference' });
  expect((await account.post(secret)).status).toBe(201);
  const [uncategorised] = (await admin.listUncategorised({ accountId, limit: 1 })).entries;
  const [firstKey] = (await admin.listKeys({ accountId })).keys;
  const sourceId = account.sources['uk-property'];
  return { accountId, key, sourceId, entry: uncategorised as Json, keyId: firstKey?.keyId as string };
}
type Account = Awaited<ReturnType<typeof someAccount>>;

/** So that it can be restored or erased. */
const markDeleted = ({ accountId }: Account) =>
  sql`update ledger.account set deleted_at = now() where account_id = ${accountId}`;

interface Mutation {
  action: string;
  /** Calls the RPC, which succeeds. @returns the expected details in the log */
  done: (own: Account) => Promise<object>;
  refused: (own: Account) => Promise<unknown>;
}

/** Each RPC that changes data. */
const MUTATIONS: Record<string, Mutation> = {
  createAccount: {
    action: 'account create',
    async done(own) {
      own.accountId = (await clerk.createAccount({ plan: 'firm' })).accountId;
      return { plan: 'firm' };
    },
    refused: () => clerk.createAccount({ plan: 'gold' }),
  },
  setPlan: {
    action: 'account set-plan',
    async done({ accountId }) {
      await clerk.setPlan({ accountId, plan: 'free' });
      return { plan: 'free', before: 'pro' };
    },
    refused: ({ accountId }) => clerk.setPlan({ accountId, plan: 'gold' }),
  },
  deleteAccount: {
    action: 'account delete',
    done: ({ accountId }) => clerk.deleteAccount({ accountId }).then(() => ({})),
    refused: () => clerk.deleteAccount({ accountId: UNKNOWN }),
  },
  restoreAccount: {
    action: 'account restore',
    async done(own) {
      await markDeleted(own);
      await clerk.restoreAccount({ accountId: own.accountId });
      return {};
    },
    refused: ({ accountId }) => clerk.restoreAccount({ accountId }),
  },
  eraseAccount: {
    action: 'account erase',
    async done(own) {
      await markDeleted(own);
      await clerk.eraseAccount({ accountId: own.accountId });
      return { entries: 1 };
    },
    refused: ({ accountId }) => clerk.eraseAccount({ accountId }),
  },
  createSource: {
    action: 'source create',
    done: ({ accountId }) =>
      clerk.createSource({ accountId, ...SOURCE }).then(({ id }) => ({ sourceId: id })),
    refused: () => clerk.createSource({ accountId: UNKNOWN, ...SOURCE }),
  },
  renameSource: {
    action: 'source rename',
    done: ({ sourceId }) =>
      clerk.renameSource({ id: sourceId, name: 'another secret place' }).then(() => ({ sourceId })),
    refused: () => clerk.renameSource({ id: UNKNOWN, name: 'x' }),
  },
  removeSource: {
    action: 'source remove',
    done: ({ sourceId }) => clerk.removeSource({ id: sourceId }).then(() => ({ sourceId })),
    refused: () => clerk.removeSource({ id: UNKNOWN }),
  },
  createKey: {
    action: 'key create',
    done: ({ accountId }) => clerk.createKey({ accountId }).then(({ keyId }) => ({ keyId, readOnly: false })),
    refused: () => clerk.createKey({ accountId: UNKNOWN }),
  },
  revokeKey: {
    action: 'key revoke',
    done: ({ keyId }) => clerk.revokeKey({ keyId }).then(() => ({ keyId })),
    refused: () => clerk.revokeKey({ keyId: UNKNOWN }),
  },
  categorise: {
    action: 'entry categorise',
    async done({ accountId, entry: { sourceId, date, id } }) {
      await clerk.categorise({ accountId, sourceId, date, id, category: 'taxDeducted' });
      return { sourceId, date, entryId: id, category: 'taxDeducted', before: null };
    },
    refused: ({ accountId, entry }) => clerk.categorise({ accountId, ...entry, category: 'turnover' }),
  },
};

/** The log of all accounts. xmin, which Citus does not read, would show that a row was replaced by its like. */
const everything = () => sql<Json[]>`
  select * ${citus ? sql`` : sql`, xmin::text`} from ledger.admin_action order by action_id`;

test('MUTATIONS has every RPC except the lists', () => {
  const rpcs = Object.keys(AdminService).map(uncapitalize);
  expect(rpcs.filter((name) => !name.startsWith('list')).sort()).toEqual(Object.keys(MUTATIONS).sort());
});

test.each(Object.entries(MUTATIONS))(
  '%s is logged once, and not at all when it fails',
  async (_, { action, done, refused }) => {
    const own = await someAccount();
    const before = await everything();
    await expect(refused(own)).rejects.toThrow();
    expect(await everything()).toEqual(before);

    const [clock] = await sql<[{ now: Date }]>`select clock_timestamp() as now`;
    const details = await done(own);
    const [row, ...more] = (await everything()).slice(before.length);
    expect(more).toEqual([]);
    const logged = { account_id: own.accountId, action, details, actor: `${CLERK} from 127.0.0.1` };
    expect(row).toMatchObject(logged);
    expect(row.at.getTime()).toBeGreaterThanOrEqual(clock.now.getTime());
  },
);

test.each([
  [
    'a removed source',
    ({ sourceId }: Account) => admin.removeSource({ id: sourceId }),
    ['renameSource', 'categorise'],
  ],
  [
    'a deleted account',
    ({ accountId }: Account) => admin.deleteAccount({ accountId }),
    'setPlan deleteAccount createSource renameSource removeSource createKey categorise'.split(' '),
  ],
] as const)('a command that %s refuses is not logged', async (_, prepare, names) => {
  const own = await someAccount();
  await prepare(own);
  const before = await everything();
  for (const name of names)
    expect([name, await MUTATIONS[name]?.done(own).catch(({ code }) => code)]).toEqual([
      name,
      status.NOT_FOUND,
    ]);
  expect(await everything()).toEqual(before);
});

test.each(['setPlan', 'deleteAccount', 'removeSource', 'revokeKey', 'categorise'])(
  '%s is dated after it has waited for the lock on its account',
  async (name) => {
    const own = await someAccount();
    await locks.account(own.accountId);
    const pending = MUTATIONS[name]?.done(own);
    await until('it waits', async () => (await backendsWaiting('ledger.')).length === 1);
    const [clock] = await sql<[{ now: Date }]>`select clock_timestamp() as now`;
    await locks.release();
    await pending;

    const [action] = (await admin.listActions({ accountId: own.accountId, limit: 1 })).actions;
    const changes = await sql<{ at: Date }[]>`
      select deleted_at as at from ledger.account where account_id = ${own.accountId} and deleted_at is not null
       union all select removed_at from ledger.source where account_id = ${own.accountId} and removed_at is not null
       union all select revoked_at from ledger.api_key where account_id = ${own.accountId} and revoked_at is not null`;
    for (const time of [new Date(action?.at ?? 0), ...changes.map(({ at }) => at)]) {
      expect(time.getTime()).toBeGreaterThanOrEqual(clock.now.getTime());
    }
  },
);

test('a correction is logged with the former category', async () => {
  const { accountId, entry } = await someAccount();
  for (const category of ['taxDeducted', 'otherIncome'])
    await clerk.categorise({ accountId, ...entry, category });
  const { actions } = await admin.listActions({ accountId, limit: 1 });
  expect(JSON.parse(actions[0]?.details ?? '')).toMatchObject({ before: 'taxDeducted' });
});

test('the log has no key, no hash of a key, no text of an entry and no name of a source', async () => {
  const own = await someAccount();
  for (const { done } of Object.values(MUTATIONS)) await done(await someAccount());
  await clerk.revokeKey({ keyId: own.keyId });
  const log = JSON.stringify(await everything());
  expect(log).toContain(own.keyId);
  const hash = hashApiKey(own.key);
  const secrets = [own.key, hash.toString('hex'), hash.toString('base64'), 'secret'];
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
});

test('the actor is logged as name and address; missing, long and multi-line names are normalised', async () => {
  const names: [given: string, logged: string][] = [
    ['', 'unnamed'],
    ['  two\nlines\0 ', 'two lines'],
    ['🏠'.repeat(300), '🏠'.repeat(150)],
  ];
  for (const [given, logged] of names) {
    const client = createAdminClient(system.adminAddress, given);
    const { accountId } = await client.createAccount({ plan: 'free' });
    client.close();
    const { actions } = await admin.listActions({ accountId, limit: 1 });
    expect(actions.map(({ actor }) => actor)).toEqual([`${logged} from 127.0.0.1`]);
  }
});

test('the command line logs the user and host, and lists the log newest first, page by page', async () => {
  const { accountId } = await json('account', 'create', '--plan', 'pro');
  for (const plan of ['free', 'firm', 'expat']) await admin.setPlan({ accountId, plan });
  const all = await json('log', '--account', accountId);
  expect(all.rows.map(({ details }: Json) => details.plan)).toEqual(['expat', 'firm', 'free', 'pro']);
  expect(all.rows.at(-1).actor).toMatch(
    new RegExp(`^(uid \\d+|(?!unknown)\\S+)@${hostname()} from 127.0.0.1$`),
  );

  const first = await json('log', '--account', accountId, '--limit', '3');
  const second = await json('log', '--account', accountId, '--limit', '3', '--after', first.next);
  expect([...first.rows, ...second.rows]).toEqual(all.rows);
  expect(second.next).toBeUndefined();

  const ofAll = await json('log', '--limit', '200');
  expect(ofAll.rows.slice(0, 4)).toEqual(all.rows);
  const shown = await run(['log', '--limit', '2']);
  expect([shown.exitCode, shown.err]).toEqual([0, '']);
  expect(shown.out).toMatch(/\nnext: --after \S+\n$/);
});
