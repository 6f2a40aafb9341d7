/** Any group of writes has the outcomes, and leaves the rows, that its writes have one after the other. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { LIMITS } from '../../../proto/domain.ts';
import { accountsOnOneNode } from '../../fixtures/accounts-on-one-node.ts';
import { expectCountsToEqualRows, rowsOf } from '../../fixtures/books.ts';
import type { TestAccount } from '../../fixtures/client.ts';
import { callerOf, type Entry, entriesJson, newEntry, openLedger, resultOf } from '../../fixtures/ledger.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';
import { admin, sql, system } from '../../fixtures/system.ts';

setDefaultTimeout(300_000);

const RUNS = 8;
/** Entries that fit into the day of the account that is nearly full. */
const FITS = 6;

const ledger = openLedger(system.workerAddress);
afterAll(() => ledger.close());

const ROLES = ['fine', 'another', 'full', 'revoked', 'free'] as const;

/** An account of each role, which may share a statement. */
async function newAccounts(): Promise<TestAccount[]> {
  const accounts = await accountsOnOneNode(ROLES.length);
  const [, , full, revoked, free] = accounts;
  const used = LIMITS.entriesPerDay - FITS;
  // The first has left the window. The second is dated ahead of the clock.
  await sql`
    insert into ledger.write_log (account_id, write_id, written_at, created, total)
    values (${full.accountId}, gen_random_uuid(), now() - interval '25 hours', 500, 500),
           (${full.accountId}, gen_random_uuid(), now() + interval '1 hour', ${used}, ${500 + used})`;
  const { keys } = await admin.listKeys({ accountId: revoked.accountId });
  await admin.revokeKey({ keyId: keys[0]?.keyId ?? '' });
  await admin.setPlan({ accountId: free.accountId, plan: 'free' });
  return accounts;
}

const oneOf = <Value>(...values: Value[]) => fc.constantFrom(...values);

/** @param of key and fingerprint, a character each */
const idempotencyOf = (of: string) => ({ key: of.charAt(0), fingerprint: Buffer.alloc(32, of.charAt(1)) });

const ENTRY = fc.record(
  {
    date: oneOf('2026-04-06', '2026-04-07'),
    type: oneOf('income', 'expense'),
    amountPence: fc.integer({ min: 1, max: 3 }),
    category: oneOf(...Array(8).fill(undefined), 'periodAmount', 'turnover', 'other'),
    description: oneOf('a', undefined),
    externalRef: oneOf('a', 'b', 'c', 'd', undefined),
  },
  { requiredKeys: ['date', 'type', 'amountPence'] },
);
const WRITE = fc.record({
  account: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 2 }) }, fc.nat(ROLES.length - 1)),
  source: oneOf('uk-property', 'uk-property', 'uk-property', 'self-employment', 'none'),
  entries: fc.array(ENTRY, { minLength: 1, maxLength: 4 }),
  idempotency: oneOf(...Array(3).fill(null), ...['x1', 'x2', 'y1'].map(idempotencyOf)),
  /** Repeats an earlier write instead: another attempt, with the same ids. */
  attempt: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.nat()),
});

type Sent = typeof WRITE extends fc.Arbitrary<infer Value> ? Value : never;

/** A group with every outcome, whatever chance brings. */
const EVERY_OUTCOME: Sent[] = (() => {
  const entry = { date: '2026-04-06', type: 'income', amountPence: 1 };
  const write: Sent = {
    account: 0,
    source: 'uk-property',
    entries: [entry],
    idempotency: null,
    attempt: null,
  };
  const known = { ...write, entries: [{ ...entry, externalRef: 'a' }] };
  const half = { ...write, account: ROLES.indexOf('full'), entries: Array(FITS / 2 + 1).fill(entry) };
  return [
    write,
    { ...write, source: 'none' },
    { ...write, entries: [{ ...entry, category: 'turnover' }] },
    { ...write, account: ROLES.indexOf('revoked') },
    { ...write, idempotency: idempotencyOf('x1') },
    { ...write, idempotency: idempotencyOf('x2') },
    known,
    known,
    half,
    half,
  ];
})();

/** The same ids for both sets of accounts: an id is unique in its account. */
const withIds = (write: Sent) => ({
  ...write,
  writeId: crypto.randomUUID(),
  // Ids ascend. An undefined member is not in the JSON.
  entries: write.entries
    .map((entry) => newEntry(entry as Partial<Entry>))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
});

type Write = ReturnType<typeof withIds>;

const requestOf = (
  accounts: TestAccount[],
  { account: index, source, entries, idempotency, writeId }: Write,
) => {
  const account = accounts[index] as TestAccount;
  return {
    createEntries: {
      caller: callerOf(account),
      sourceId:
        source === 'none' ? crypto.randomUUID() : account.sources[source as keyof typeof account.sources],
      entriesJson: entriesJson(entries),
      writeId,
      ...(idempotency && { idempotency }),
    },
  };
};

/** In one message, and so in one group. */
async function execute(accounts: TestAccount[], writes: Write[]) {
  const responses = await sendRequests(
    ledger,
    writes.map((write) => requestOf(accounts, write)),
  );
  return responses
    .sort((a, b) => a.index - b.index)
    .map(({ createEntries, failure }, n) => {
      const { created, dailyCapReached, ...others } = createEntries ?? { outcome: failure?.code };
      if (dailyCapReached) return { ...others, entriesLeft: dailyCapReached.entriesLeft };
      const entries = writes[n]?.entries ?? [];
      return created ? { ...others, ...created, result: resultOf({ created }, entries) } : others;
    });
}

/** What an account has, without what differs between the sets. */
async function rowsIn({ accountId, sources }: TestAccount) {
  const typeOf = new Map(Object.entries(sources).map(([type, id]) => [id, type]));
  const entries = (await rowsOf(accountId)).map(({ sourceId, ...entry }) => [typeOf.get(sourceId), entry]);
  const log = await sql`
    select created, total, written_at > now() + interval '30 minutes' as "isAhead" from ledger.write_log
     where account_id = ${accountId} order by total`;
  const keys = await sql`
    select idempotency_key, encode(fingerprint, 'hex') as fingerprint, entry_ids from ledger.idempotency_key
     where account_id = ${accountId} order by idempotency_key`;
  return {
    entries: entries.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    log: [...log],
    keys: [...keys],
  };
}

async function commits(accounts: TestAccount[]): Promise<number> {
  const ids = `{${accounts.map(({ accountId }) => accountId)}}`;
  const found =
    await sql`select distinct xmin::text from ledger.entry where account_id = any (${ids}::uuid[])`;
  return found.length;
}

/** Executes each group, and on other accounts its writes one after the other. @returns the outcomes, and the transactions of both */
async function compare(groups: Sent[][]) {
  const [together, alone] = [await newAccounts(), await newAccounts()];
  const earlier: Write[] = [];
  const seen = [];
  for (const group of groups) {
    const writes = group.map((write) => {
      const again = write.attempt === null ? undefined : earlier[write.attempt % earlier.length];
      const next = again ?? withIds(write);
      earlier.push(next);
      return next;
    });
    const outcomes = await execute(together, writes);
    const singles = [];
    for (const write of writes) singles.push(...(await execute(alone, [write])));
    expect(outcomes).toEqual(singles);
    seen.push(...outcomes);
  }
  for (const [n, account] of together.entries()) {
    expect(await rowsIn(account)).toEqual(await rowsIn(alone[n] as TestAccount));
  }
  for (const account of together.slice(0, 3)) await expectCountsToEqualRows(account);
  // No write of an account is dated before its last one.
  const { log } = await rowsIn(together[ROLES.indexOf('full')] as TestAccount);
  expect(new Set(log.slice(1).map(({ isAhead }) => isAhead))).toEqual(new Set([true]));
  return {
    outcomes: seen.map(({ outcome }) => outcome),
    commits: [await commits(together), await commits(alone)],
  };
}

test('a group with every outcome has the outcomes and the rows of its writes one after the other', async () => {
  const { outcomes, commits } = await compare([EVERY_OUTCOME]);
  expect<unknown>(outcomes).toEqual([
    'created',
    'sourceNotFound',
    'invalidCategories',
    'refused',
    'created',
    'idempotencyKeyReused',
    'created',
    'created',
    'created',
    'dailyCapReached',
  ]);
  expect(commits).toEqual([1, 4]);
});

test('a group of writes has the outcomes and the rows of its writes one after the other', async () => {
  const groups = fc.array(fc.array(WRITE, { minLength: 4, maxLength: 16, size: 'max' }), {
    minLength: 3,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(groups, async (sent) => void (await compare(sent))),
    { numRuns: RUNS },
  );
});
