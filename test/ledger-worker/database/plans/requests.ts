/** Every request to the worker, in all its variants, for accounts with very many entries. */
import { LIMITS } from '../../../../proto/domain.ts';
import { type Entry, entriesJson } from '../../../fixtures/ledger.ts';
import { sendRequests } from '../../../fixtures/send-requests.ts';
import { until } from '../../../fixtures/until.ts';
import { ADMIN_REQUESTS, RETENTION } from './admin-requests.ts';
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

const ledger = (name: string, rows: number, response: object, fields: object) =>
  call('ledger', name, rows, response, fields);

const UNKNOWN_KEY = { refused: 'REFUSAL_INVALID_KEY' };
const others: PlannedRequest[] = [
  ledger('Authenticate', 1, { identity: { plan: 'pro' } }, { keyHash: keyHash(BIG, 0) }),
  ledger('Authenticate: one of very many keys', 1, { identity: {} }, { keyHash: keyHash(ROTATING, 3) }),
  ledger('Authenticate: unknown key', 1, UNKNOWN_KEY, { keyHash: Buffer.alloc(32) }),
  ledger('Authenticate: revoked key', 1, UNKNOWN_KEY, { keyHash: keyHash(BIG, 4) }),
  ledger('ListSources', 3, { outcome: 'sources' }, { caller: caller(BIG) }),
  ledger('ListSources: unknown key', 1, UNKNOWN_KEY, { caller: UNKNOWN_CALLER }),
];

interface PageRequest {
  account?: number;
  from?: string;
  to?: string;
  after?: { date: string; id: string };
  limit?: number;
  sourceId?: string;
  caller?: object;
}

const MIDDLE = { date: '2022-09-27', id: entryId(500_000) };
const PAGE = { outcome: 'page' };
const listEntries: PlannedRequest[] = [
  page('first page'),
  page('first page of 200', { limit: 200 }),
  page('first page of an account with few entries', { account: SMALL }),
  page('deep', { after: MIDDLE }),
  page('deep, 200', { after: MIDDLE, limit: 200 }),
  page('the last entries', { after: { date: '2020-01-02', id: entryId(600) } }),
  page('from', { from: '2021-01-01' }),
  page('to', { to: '2021-01-01' }),
  page('from and to', { from: '2021-01-01', to: '2022-12-31' }),
  page('from and to, deep', { from: '2021-01-01', to: '2022-12-31', after: MIDDLE, limit: 200 }),
  page('from, deep', { from: '2021-01-01', after: MIDDLE }),
  page('to, deep', { to: '2022-12-31', after: MIDDLE }),
  page('one day', { from: '2022-01-01', to: '2022-01-01' }),
  page('days without entries', { from: '2030-01-01', to: '2031-01-01' }),
  page('unknown source', { sourceId: sourceId(SMALL, 0), limit: 200 }, { outcome: 'sourceNotFound' }),
  page('unknown key', { caller: UNKNOWN_CALLER, limit: 200 }, UNKNOWN_KEY),
];

function page(
  name: string,
  { account = BIG, limit = 50, ...where }: PageRequest = {},
  response: object = PAGE,
): PlannedRequest {
  const own = { caller: caller(account), sourceId: sourceId(account, 1), limit };
  return ledger(`ListEntries: ${name}`, limit + 1, response, { ...own, ...where });
}

interface WriteRequest {
  account?: number;
  source?: string;
  keyHash?: Buffer;
  /** Its key is unique to the run. */
  idempotencyKey?: string;
  fingerprint?: number;
}

const CREATED = { outcome: 'created' };
const AT_THE_CAP = { outcome: 'dailyCapReached' };
const createEntries: PlannedRequest[] = [
  write('one', 1, CREATED, () => newEntries(1)),
  write('one, of an account with few entries', 1, CREATED, () => newEntries(1), { account: SMALL }),
  write('500', ALL, CREATED, () => newEntries(ALL)),
  write('500, of an account with few entries', ALL, CREATED, () => newEntries(ALL), { account: SMALL }),
  write('one that is known', 1, CREATED, () => knownEntries(BIG, 1)),
  write('500 that are known', ALL, CREATED, () => knownEntries(BIG, ALL)),
  write('250 that are known and 250 that are not', ALL, CREATED, () => [
    ...knownEntries(BIG, ALL / 2),
    ...newEntries(ALL / 2),
  ]),
  request(
    'CreateEntries: the same 500 twice',
    ALL,
    { created: { newEntries: 0, knownEntries: 0 } },
    async ({ ledger }) => {
      const request = { caller: caller(BIG), sourceId: sourceId(BIG, 0), entries: newEntries(ALL) };
      await ledger.createEntries(request);
      return ledger.createEntries(request);
    },
  ),
  request('CreateEntries: eight accounts at once', ALL, CREATED, async ({ ledger }) => {
    const calls = Array.from({ length: 8 }, (_, n) =>
      ledger.createEntries({
        caller: caller(SMALL + n),
        sourceId: sourceId(SMALL + n, 0),
        entries: newEntries(10),
      }),
    );
    const [first] = await Promise.all(calls);
    return first ?? {};
  }),
  request('CreateEntries: of a locked account', 1, CREATED, async ({ ledger, sql }) => {
    const account = accountId(SMALL);
    await sql.unsafe(`begin; select from ledger.account where account_id = '${account}' for update`);
    const request = { caller: caller(SMALL), sourceId: sourceId(SMALL, 0), entries: newEntries(1) };
    const reply = ledger.createEntries(request);
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
    [{ createEntries: { created: {} } }, { createEntries: { created: {} } }],
    async ({ ledger }) => {
      const write = (account: number, entries: Entry[]) => {
        const property = { caller: caller(account), sourceId: sourceId(account, 0) };
        return { createEntries: { ...property, entriesJson: entriesJson(entries) } };
      };
      return sendRequests(ledger, [write(BIG, knownEntries(BIG, 1)), write(SMALL, newEntries(1))]);
    },
  ),
  request('Execute: many at once', 8 * 50, Array(8).fill({ result: 'listEntries' }), async ({ ledger }) => {
    const request = { listEntries: { caller: caller(BIG), sourceId: sourceId(BIG, 0), limit: 50 } };
    return sendRequests(ledger, Array(8).fill(request));
  }),
  write('at the cap, one', 1, AT_THE_CAP, () => newEntries(1), { account: FULL }),
  write('at the cap, 500', ALL, AT_THE_CAP, () => newEntries(ALL), { account: FULL }),
  write('at the cap, 500 that are known', ALL, CREATED, () => knownEntries(FULL, ALL), { account: FULL }),
  write('an invalid category', ALL, { outcome: 'invalidCategories' }, () =>
    newEntries(ALL).map((entry) => ({ ...entry, category: 'turnover' })),
  ),
  write('unknown source', ALL, { outcome: 'sourceNotFound' }, () => newEntries(ALL), {
    source: sourceId(SMALL, 0),
  }),
  write('unknown key', ALL, { refused: 'REFUSAL_INVALID_KEY' }, () => newEntries(ALL), {
    keyHash: Buffer.alloc(32),
  }),
  write('under a new idempotency key', 1, CREATED, () => newEntries(1), { idempotencyKey: 'new' }),
  write('again under that key', 1, CREATED, () => newEntries(1), { idempotencyKey: 'new' }),
  write('another request under that key', 1, { outcome: 'idempotencyKeyReused' }, () => newEntries(1), {
    idempotencyKey: 'new',
    fingerprint: 1,
  }),
  write('500 under a new idempotency key', ALL, CREATED, () => newEntries(ALL), { idempotencyKey: 'of 500' }),
  write('500 again under that key', ALL, CREATED, () => knownEntries(BIG, ALL), { idempotencyKey: 'of 500' }),
];

function write(
  name: string,
  rows: number,
  response: object,
  entries: () => Entry[],
  fields: WriteRequest = {},
) {
  const { account = BIG, source = sourceId(account, 0), idempotencyKey, fingerprint } = fields;
  return request(`CreateEntries: ${name}`, rows, response, ({ ledger, name: unique }) =>
    ledger.createEntries({
      caller: { ...caller(account), ...(fields.keyHash && { keyHash: fields.keyHash }) },
      sourceId: source,
      entries: entries(),
      ...(idempotencyKey && {
        idempotency: { key: `${unique}: ${idempotencyKey}`, fingerprint: Buffer.alloc(32, fingerprint) },
      }),
    }),
  );
}

function newEntries(count: number): Entry[] {
  return Array.from({ length: count }, (_, n) => {
    const id = Bun.randomUUIDv7();
    return {
      id,
      date: '2026-04-06',
      type: 'expense',
      amountPence: 1,
      category: 'professionalFees',
      ...(n % 2 === 0 && { externalRef: id }),
    };
  });
}

/** Under new ids, with references of the account, whose numbers stand in million-entries.sql. */
function knownEntries(account: typeof BIG | typeof FULL, count: number): Entry[] {
  return newEntries(count).map((entry, n) => ({
    ...entry,
    externalRef: `ref-${100 * n + 25 + (account === BIG ? 0 : 1)}`,
  }));
}

/** To the Ledger service. The name of each begins with that of its method or RPC. */
export const LEDGER_REQUESTS = [...others, ...listEntries, ...createEntries];

export const REQUESTS = [...LEDGER_REQUESTS, ...ADMIN_REQUESTS, RETENTION];
