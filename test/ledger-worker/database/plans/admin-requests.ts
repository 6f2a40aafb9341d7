/** The requests to the worker's Admin service, where very much is stored. */
import { expect } from 'bun:test';
import { until } from '../../../fixtures/until.ts';
import { accountId, actionId, entryId, keyId, sourceId } from './ids.ts';
import { type PlannedRequest, request } from './request.ts';

/** 40,000 entries; those of its first source have no category, and those of the others have. */
const BIG = 1;
const ADMINISTERED = 1_001;
const DELETED = 1_002;

const ACCOUNT = accountId(ADMINISTERED);
const SOURCE = { type: 'uk-property', name: 'a source', role: 'owner', sharePercent: 100 };
export const ADMIN_REQUESTS: PlannedRequest[] = [
  request('CreateAccount', 1, { plan: 'pro' }, ({ admin }) => admin.createAccount({ plan: 'pro' })),
  request('SetPlan', 1, { plan: 'firm' }, ({ admin }) => admin.setPlan({ accountId: ACCOUNT, plan: 'firm' })),
  request('ListAccounts', 50, {}, ({ admin }) => admin.listAccounts({ limit: 50 })),
  request('ListAccounts: deep', 50, {}, ({ admin }) =>
    admin.listAccounts({ after: accountId(2_000), limit: 50 }),
  ),
  request('DeleteAccount', 5, { accountId: accountId(DELETED) }, async ({ admin }) => {
    const account = await admin.deleteAccount({ accountId: accountId(DELETED) });
    await admin.restoreAccount(account);
    return account;
  }),
  request('RestoreAccount', 5, { accountId: accountId(DELETED) }, async ({ admin }) =>
    admin.restoreAccount(await admin.deleteAccount({ accountId: accountId(DELETED) })),
  ),
  request('EraseAccount', 500, { entries: 0 }, async ({ admin, sql }) => {
    const { accountId } = await admin.createAccount({ plan: 'pro' });
    const { id } = await admin.createSource({ accountId, ...SOURCE });
    await sql`
      insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type)
      select ${accountId}, gen_random_uuid(), ${id}, '2026-04-06', 1, 'income' from generate_series(1, 500)`;
    return admin.eraseAccount(await admin.deleteAccount({ accountId }));
  }),
  request('CreateSource', 1, SOURCE, ({ admin }) => admin.createSource({ accountId: ACCOUNT, ...SOURCE })),
  request('RenameSource', 1, { name: 'renamed' }, ({ admin }) =>
    admin.renameSource({ id: sourceId(ADMINISTERED, 0), name: 'renamed' }),
  ),
  request('RemoveSource', 1, { id: sourceId(ADMINISTERED, 1) }, ({ admin }) =>
    admin.removeSource({ id: sourceId(ADMINISTERED, 1) }),
  ),
  request('ListAccountSources', 5, {}, ({ admin }) => admin.listAccountSources({ accountId: ACCOUNT })),
  request('CreateKey', 1, {}, ({ admin }) => admin.createKey({ accountId: ACCOUNT })),
  request('RevokeKey', 1, { keyId: keyId(ADMINISTERED, 1) }, ({ admin }) =>
    admin.revokeKey({ keyId: keyId(ADMINISTERED, 1) }),
  ),
  request('ListKeys', 7, {}, ({ admin }) => admin.listKeys({ accountId: ACCOUNT })),
  request('ListUncategorised: of an account', 3 * 51, { next: expect.any(String) }, ({ admin }) =>
    admin.listUncategorised({ accountId: accountId(BIG), limit: 50 }),
  ),
  request('ListUncategorised: of a source', 51, { next: expect.any(String) }, ({ admin }) =>
    admin.listUncategorised({ accountId: accountId(BIG), sourceId: sourceId(BIG, 0), limit: 50 }),
  ),
  request('ListUncategorised: deep', 51, { next: expect.any(String) }, ({ admin }) =>
    admin.listUncategorised({
      accountId: accountId(BIG),
      after: `2022-09-27_${entryId(500_000)}`,
      limit: 50,
    }),
  ),
  request('ListUncategorised: of a source that has none', 1, { entries: [] }, ({ admin }) =>
    admin.listUncategorised({ accountId: accountId(BIG), sourceId: sourceId(BIG, 1), limit: 50 }),
  ),
  request('Categorise', 1, { category: 'other' }, ({ admin }) =>
    admin.categorise({
      accountId: accountId(BIG),
      sourceId: sourceId(BIG, 0),
      date: '2022-09-27',
      id: entryId(500_025),
      category: 'other',
    }),
  ),
  request('ListActions', 51, { next: expect.any(String) }, ({ admin }) => admin.listActions({ limit: 50 })),
  request('ListActions: deep', 51, { next: expect.any(String) }, ({ admin }) =>
    admin.listActions({ after: actionId(2_000, 0), limit: 50 }),
  ),
  request('ListActions: of an account', 6, { next: expect.any(String) }, ({ admin }) =>
    admin.listActions({ accountId: accountId(BIG), limit: 5 }),
  ),
  request('ListActions: of an account, deep', 6, { next: expect.any(String) }, ({ admin }) =>
    admin.listActions({ accountId: accountId(2_000), after: actionId(2_000, 8), limit: 5 }),
  ),
];

/** No RPC, but the job that the worker does beside: from the first account on, which has much to delete. */
export const RETENTION = request('Retention', 1_000, {}, async ({ sql }) => {
  await sql`update ledger.retention set begun_at = '-infinity'`;
  await until('a pass is through the first account', async () => {
    const [row] = await sql`
      select begun_at > '-infinity' and not exists (
               select from ledger.idempotency_key
                where account_id = ${accountId(BIG)} and used_at < now() - interval '24 hours') as "isThrough"
        from ledger.retention`;
    return row?.isThrough;
  });
  return {};
});
