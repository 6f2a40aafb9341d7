/** Every request to the worker, in all its variants, for accounts with very many entries. */
import { LIMITS } from '../../../../proto/domain.ts';
import { type Entry, entriesJson } from '../../../fixtures/ledger.ts';
import { sendRequests } from '../../../fixtures/send-requests.ts';
import { until } from '../../../fixtures/until.ts';
import { ADMIN_REQUESTS, RETENTION, SEALING } from './admin-requests.ts';
import { accountId, entryId, keyHash, sourceId } from './ids.ts';
import { call, type PlannedRequest, request } from './request.ts';

/** 40,000 entries, with room for more today. */
const BIG = 1;
/** 40,000 entries, and its day is full. */
const FULL = 2;
/** 1,000 keys beside those that every account has. */
const ROTATING = 3;
const SMALL = 1_000;
const ALL = LIMITS.entriesPerRequest;

const caller = (account: number) => ({ accountId: accountId(account), keyHash: keyHash(account, 0) });
const UNKNOWN_CALLER = { ...caller(BIG), keyHash: Buffer.alloc(32) };
const UNKNOWN_KEY = { refused: 'REFUSAL_INVALID_KEY' };

const others: PlannedRequest[] = [
  call('ledger', 'Authenticate', 1, { identity: { plan: 'pro' } }, { keyHash: keyHash(BIG, 0) }),
  call('ledger', 'Authenticate: many keys', 1, { identity: {} }, { keyHash: keyHash(ROTATING, 3) }),
  call('ledger', 'Authenticate: unknown key', 1, UNKNOWN_KEY, { keyHash: Buffer.alloc(32) }),
  call('ledger', 'Authenticate: revoked key', 1, UNKNOWN_KEY, { keyHash: keyHash(BIG, 4) }),
  call('ledger', 'ListSources', 3, { outcome: 'sources' }, { caller: caller(BIG) }),
  call('ledger', 'ListSources: unknown key', 1, UNKNOWN_KEY, { caller: UNKNOWN_CALLER }),
];

const MIDDLE = { date: '2022-09-27', id: entryId(500_000) };
const listEntries: PlannedRequest[] = [
  page('first page', {}),
  page('first page of an account with few entries', {}, SMALL),
  page('deep', { after: MIDDLE }),
  page('the last entries', { after: { date: '2020-01-02', id: entryId(600) } }),
  page('from', { from: '2021-01-01' }),
  page('to', { to: '2021-01-01' }),
  page('from and to, deep', { from: '2021-01-01', to: '2022-12-31', after: MIDDLE }),
  page('one day', { from: '2022-01-01', to: '2022-01-01' }),
  page('days without entries', { from: '2030-01-01', to: '2031-01-01' }),
  page('unknown source', { sourceId: sourceId(SMALL, 0) }, BIG, { outcome: 'sourceNotFound' }),
  page('unknown key', { caller: UNKNOWN_CALLER }, BIG, UNKNOWN_KEY),
];

function page(name: string, fields: object, account = BIG, response: object = { outcome: 'page' }) {
  const own = { caller: caller(account), sourceId: sourceId(account, 1), limit: 200, ...fields };
  return call('ledger', `ListEntries: ${name}`, 201, response, own);
}

const CREATED = { outcome: 'created' };
const AT_THE_CAP = { outcome: 'dailyCapReached' };
const createEntries: PlannedRequest[] = [
  write('one', newEntries(1), CREATED),
  write('500', newEntries(ALL), CREATED),
  write('500, of an account with few entries', newEntries(ALL), CREATED, SMALL),
  write('one that is known', () => knownEntries(BIG, 1), CREATED),
  write('500 that are known', () => knownEntries(BIG, ALL), CREATED),
  write('250 that are known', () => [...knownEntries(BIG, 250), ...newEntries(250)()], CREATED),
  request('CreateEntries: the same 500 twice', ALL, { created: { newEntries: 0 } }, async ({ ledger }) => {
    const request = { ...ofFirstSource(BIG), writeId: crypto.randomUUID(), entries: newEntries(ALL)() };
    await ledger.createEntries(request);
    return ledger.createEntries(request);
  }),
  request('CreateEntries: of a locked account', 1, CREATED, async ({ ledger, sql }) => {
    const account = accountId(SMALL);
    await sql.unsafe(`begin; select from ledger.account where account_id = '${account}' for update`);
    const reply = ledger.createEntries({ ...ofFirstSource(SMALL), entries: newEntries(1)() });
    // In the empty database there is no account to wait for.
    const isRefused = reply.then(({ refused }) => refused !== undefined);
    const waits = async () => {
      // This transaction would see the activity of its first look for ever.
      await sql`select pg_stat_clear_snapshot()`;
      return (await sql`select from pg_stat_activity where wait_event_type = 'Lock'`).length > 0;
    };
    const isWaiting = async () => (await waits()) || (await Promise.race([isRefused, false]));
    await until('the write waits', isWaiting).finally(() => sql.unsafe('rollback'));
    return reply;
  }),
  request(
    'Execute: writes of two accounts, one of them of a known entry',
    2,
    Array(2).fill({ createEntries: { created: {} } }),
    ({ ledger }) => {
      const write = (account: number, entries: Entry[]) => ({
        createEntries: {
          ...ofFirstSource(account),
          writeId: crypto.randomUUID(),
          entriesJson: entriesJson(entries),
        },
      });
      return sendRequests(ledger, [write(BIG, knownEntries(BIG, 1)), write(SMALL, newEntries(1)())]);
    },
  ),
  request('Execute: many at once', 8 * 50, Array(8).fill({ result: 'listEntries' }), ({ ledger }) =>
    sendRequests(ledger, Array(8).fill({ listEntries: { ...ofFirstSource(BIG), limit: 50 } })),
  ),
  write('at the cap, one', newEntries(1), AT_THE_CAP, FULL),
  write('at the cap, 500', newEntries(ALL), AT_THE_CAP, FULL),
  write('at the cap, 500 that are known', () => knownEntries(FULL, ALL), CREATED, FULL),
  write('an invalid category', newEntries(ALL, 'turnover'), { outcome: 'invalidCategories' }),
  write('unknown source', newEntries(ALL), { outcome: 'sourceNotFound' }, BIG, {
    sourceId: sourceId(SMALL, 0),
  }),
  write('unknown key', newEntries(ALL), UNKNOWN_KEY, BIG, { caller: UNKNOWN_CALLER }),
  write('under a new idempotency key', newEntries(ALL), CREATED, BIG, {}, 0),
  write('again under that key', () => knownEntries(BIG, ALL), CREATED, BIG, {}, 0),
  write('another under that key', newEntries(1), { outcome: 'idempotencyKeyReused' }, BIG, {}, 1),
];

function ofFirstSource(account: number) {
  return { caller: caller(account), sourceId: sourceId(account, 0) };
}

/** @param fingerprint with it, the request has an idempotency key, which is unique to the run */
function write(
  name: string,
  entries: () => Entry[],
  response: object,
  account = BIG,
  fields: object = {},
  fingerprint?: number,
) {
  const own = { ...ofFirstSource(account), ...fields };
  return request(`CreateEntries: ${name}`, entries().length, response, ({ ledger, name: key }) => {
    const idempotency = { key, fingerprint: Buffer.alloc(32, fingerprint) };
    const request = { ...own, entries: entries() };
    return ledger.createEntries(fingerprint === undefined ? request : { ...request, idempotency });
  });
}

function newEntries(count: number, category = 'professionalFees'): () => Entry[] {
  return () =>
    Array.from({ length: count }, (_, n) => {
      const id = Bun.randomUUIDv7();
      const entry = { id, date: '2026-04-06', type: 'expense', amountPence: 1, category } as const;
      return n % 2 === 0 ? { ...entry, externalRef: id } : entry;
    });
}

/** Under new ids, with references of the account, whose numbers stand in million-entries.sql. */
function knownEntries(account: typeof BIG | typeof FULL, count: number): Entry[] {
  const first = account === BIG ? 25 : 26;
  return newEntries(count)().map((entry, n) => ({ ...entry, externalRef: `ref-${100 * n + first}` }));
}

/** To the Ledger service. The name of each begins with that of its method or RPC. */
export const LEDGER_REQUESTS = [...others, ...listEntries, ...createEntries];

export const REQUESTS = [...LEDGER_REQUESTS, ...ADMIN_REQUESTS, RETENTION, SEALING];
