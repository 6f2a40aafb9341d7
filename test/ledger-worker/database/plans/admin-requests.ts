/** The requests to the worker's Admin service, where very much is stored. */
import { expect } from 'bun:test';
import { until } from '../../../fixtures/until.ts';
import { accountId, actionId, entryId, keyId, sourceId } from './ids.ts';
import { call, type PlannedRequest, request } from './request.ts';

/** 40,000 entries; those of its first source have no category, and those of the others have. */
const BIG = 1;
const ADMINISTERED = 1_001;
const DELETED = 1_002;

const ACCOUNT = { accountId: accountId(ADMINISTERED) };
const SOURCE = { type: 'uk-property', name: 'a source', role: 'owner', sharePercent: 100 };
const MORE = { next: expect.any(String) };
const BIG_ACCOUNT = { accountId: accountId(BIG) };
const [deletable, removable, revocable] = [
  { accountId: accountId(DELETED) },
  { id: sourceId(ADMINISTERED, 1) },
  { keyId: keyId(ADMINISTERED, 1) },
];
const WAITING = { ...BIG_ACCOUNT, sourceId: sourceId(BIG, 0), date: '2022-09-27', id: entryId(500_025) };
const ACTIONS_OF_ONE = { accountId: accountId(2_000), after: actionId(2_000, 8), limit: 5 };

const admin = (name: string, rows: number, response: object, fields: object) =>
  call('admin', name, rows, response, fields);
const queue = (name: string, rows: number, response: object, fields: object) =>
  admin(`ListUncategorised: ${name}`, rows, response, { ...BIG_ACCOUNT, limit: 50, ...fields });

export const ADMIN_REQUESTS: PlannedRequest[] = [
  admin('CreateAccount', 1, { plan: 'pro' }, { plan: 'pro' }),
  admin('SetPlan', 1, { plan: 'firm' }, { ...ACCOUNT, plan: 'firm' }),
  admin('ListAccounts', 50, {}, { limit: 50 }),
  admin('ListAccounts: deep', 50, {}, { after: accountId(2_000), limit: 50 }),
  admin('DeleteAccount', 5, deletable, deletable),
  admin('RestoreAccount', 5, deletable, deletable),
  request('EraseAccount', 500, { entries: 0 }, async ({ admin, sql }) => {
    const { accountId } = await admin.createAccount({ plan: 'pro' });
    const { id } = await admin.createSource({ accountId, ...SOURCE });
    await sql`
      insert into ledger.entry (account_id, entry_id, source_id, entry_date, amount_pence, type)
      select ${accountId}, gen_random_uuid(), ${id}, '2026-04-06', 1, 'income' from generate_series(1, 500)`;
    return admin.eraseAccount(await admin.deleteAccount({ accountId }));
  }),
  admin('CreateSource', 1, SOURCE, { ...ACCOUNT, ...SOURCE }),
  admin('RenameSource', 1, { name: 'renamed' }, { id: sourceId(ADMINISTERED, 0), name: 'renamed' }),
  admin('RemoveSource', 1, removable, removable),
  admin('ListAccountSources', 5, {}, ACCOUNT),
  admin('CreateKey', 1, {}, ACCOUNT),
  admin('RevokeKey', 1, revocable, revocable),
  admin('ListKeys', 7, {}, ACCOUNT),
  queue('of an account', 3 * 51, MORE, {}),
  queue('of a source', 51, MORE, { sourceId: sourceId(BIG, 0) }),
  queue('deep', 51, MORE, { after: `2022-09-27_${entryId(500_000)}` }),
  queue('of a source that has none', 1, { entries: [] }, { sourceId: sourceId(BIG, 1) }),
  admin('Categorise', 1, { category: 'other' }, { ...WAITING, category: 'other' }),
  admin('ListActions', 51, MORE, { limit: 50 }),
  admin('ListActions: deep', 51, MORE, { after: actionId(2_000, 0), limit: 50 }),
  admin('ListActions: of an account', 6, MORE, ACTIONS_OF_ONE),
];

/** No RPC, but the job that the worker does beside: from the first account on, which has much to delete. */
export const RETENTION = request('Retention', 1_000, {}, async ({ sql }) => {
  await sql`update ledger.upkeep set last_pass = '-infinity' where task = 'retention'`;
  await until('a pass is through the first account', async () => {
    const [row] = await sql`
      select last_pass > '-infinity' and not exists (
               select from ledger.idempotency_key
                where account_id = ${accountId(BIG)} and used_at < now() - interval '24 hours') as "isThrough"
        from ledger.upkeep where task = 'retention'`;
    return row?.isThrough;
  });
  return {};
});

/** Likewise: the first seal of an account with more entries than a call takes. */
export const SEALING = request('Sealing', 41_000, {}, async ({ sql }) => {
  await sql`update ledger.source set transaction_count = 20000 where account_id = ${accountId(BIG)}`;
  await sql`update ledger.upkeep set last_pass = '-infinity' where task = 'sealing'`;
  await until('a pass has sealed the account', async () => {
    const [row] = await sql`
      select last_pass > '-infinity'
             and (select count(*) from ledger.seal where account_id = ${accountId(BIG)})
               = (select least(count(*), 1) from ledger.source where account_id = ${accountId(BIG)}) as "isThrough"
        from ledger.upkeep where task = 'sealing'`;
    return row?.isThrough;
  });
  return {};
});
