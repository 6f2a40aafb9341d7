/** The RPC Ask, by the worker's contract: many questions in one call, each answered as if it were the only one. */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import { hashApiKey } from '../../proto/api-key.ts';
import {
  type Answer__Output,
  createLedgerClient,
  MESSAGE_BYTES_MAX,
  type Question,
} from '../../proto/ledger.ts';
import { rowsOf } from '../books.ts';
import { TestAccount } from '../client.ts';
import { backendsWaiting, openLocks } from '../locks.ts';
import { system } from '../system.ts';
import { until } from '../until.ts';

setDefaultTimeout(30_000);

const ledger = createLedgerClient(system.workerAddress, {});
const locks = openLocks();
afterEach(() => locks.release());
afterAll(async () => {
  await locks.close();
  ledger.close();
});

const account = await TestAccount.create();
const keyHash = hashApiKey(account.key);
const caller = { keyHash, accountId: account.accountId };
const sourceId = account.sources['uk-property'];
const newEntry = () => ({ id: Bun.randomUUIDv7(), date: '2026-04-06', type: 'income', amountPence: 1 });

/** The answers in the order in which they came. */
async function ask(questions: Question[], onAnswer: (answer: Answer__Output) => void = () => {}) {
  const came: Answer__Output[] = [];
  const timed = questions.map((question) => ({ timeoutMs: 10_000, ...question }));
  await ledger.ask({ questions: timed }, { deadline: Date.now() + 15_000 }, ({ answers }) => {
    came.push(...answers);
    for (const answer of answers) onAnswer(answer);
  });
  return came;
}

const inOrder = (answers: Answer__Output[]) => answers.toSorted((one, other) => one.index - other.index);

test('each question is answered as it would be alone, failures included', async () => {
  const entries = [newEntry()];
  const before = await ledger.listSources({ caller });
  const answers = inOrder(
    await ask([
      { authenticate: { keyHash } },
      { listSources: { caller } },
      { createEntries: { caller, sourceId, entries } },
      { listEntries: { caller, sourceId, limit: 0 } },
      { authenticate: { keyHash: Buffer.alloc(32) } },
      {},
      { createEntries: { sourceId, entries } },
      { listEntries: { caller, sourceId: Bun.randomUUIDv7(), limit: 1 } },
    ]),
  );
  expect(answers.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const [identity, sources, created, limit, unknownKey, unknown, nobody, nowhere] = answers;
  expect(identity?.authenticate?.identity).toEqual({ accountId: account.accountId, plan: 'pro' });
  expect(sources?.listSources).toEqual(before);
  expect(created?.createEntries?.created?.added).toBe(1);
  expect(limit?.failure?.code).toBe(status.INVALID_ARGUMENT);
  expect(unknownKey?.authenticate?.rejected).toBe('REJECTION_INVALID_KEY');
  expect(unknown?.failure?.code).toBe(status.UNIMPLEMENTED);
  expect(nobody?.failure).toEqual({ code: status.INVALID_ARGUMENT, details: 'caller is missing' });
  expect(nowhere?.listEntries?.sourceNotFound).toEqual({});
  expect((await rowsOf(account.accountId)).map(({ id }) => id)).toEqual(entries.map(({ id }) => id));
});

test('a call without questions has no answers', async () => {
  expect(await ask([])).toEqual([]);
});

test('pages that are too large for one message together come in messages of their own', async () => {
  const large = await TestAccount.create();
  const own = { caller: { keyHash: hashApiKey(large.key), accountId: large.accountId } };
  const source = { sourceId: large.sources['uk-property'] };
  // Six bytes of JSON for each character.
  const text = (n: number, length: number) => String(n).padStart(length, '\u0001');
  const entries = Array.from({ length: 200 }, (_, n) => ({
    ...newEntry(),
    description: text(n, 500),
    externalRef: text(n, 180),
  }));
  const { created } = await ledger.createEntries({ ...own, ...source, entries });
  expect(created?.added).toBe(200);
  const question = { listEntries: { ...own, ...source, limit: 200, asJson: true } };
  const messages: number[][] = [];
  const questions = Array(16).fill({ ...question, timeoutMs: 10_000 });
  await ledger.ask({ questions }, { deadline: Date.now() + 15_000 }, ({ answers }) => {
    messages.push(answers.map(({ listEntries }) => listEntries?.page?.entriesJson.length ?? 0));
  });
  const sizes = messages.flat();
  expect(sizes).toHaveLength(16);
  expect(16 * Math.min(...sizes)).toBeGreaterThan(MESSAGE_BYTES_MAX);
  expect(messages.every((pages) => pages.length === 1)).toBe(true);
});

test('an answer does not wait for those to the other questions of its call', async () => {
  const held = await TestAccount.create();
  await locks.account(held.accountId);
  const create = {
    caller: { keyHash: hashApiKey(held.key), accountId: held.accountId },
    sourceId: held.sources['uk-property'],
    entries: [newEntry()],
  };
  const first = Promise.withResolvers<Answer__Output>();
  const all = ask([{ createEntries: create }, { authenticate: { keyHash } }], first.resolve);
  expect((await first.promise).index).toBe(1);
  await until('the other waits', async () => (await backendsWaiting()).length === 1);
  await locks.release();
  expect((await all).map(({ index }) => index)).toEqual([1, 0]);
});

test('a question whose time is up is a failure, and nothing is created', async () => {
  const held = await TestAccount.create();
  await locks.account(held.accountId);
  const create = {
    caller: { keyHash: hashApiKey(held.key), accountId: held.accountId },
    sourceId: held.sources['uk-property'],
    entries: [newEntry()],
  };
  const answers = inOrder(
    await ask([{ createEntries: create, timeoutMs: 300 }, { authenticate: { keyHash } }]),
  );
  expect(answers.map(({ failure }) => failure?.code)).toEqual([status.CANCELLED, undefined]);
  await until('it is withdrawn', async () => (await backendsWaiting()).length === 0);
  await locks.release();
  expect(await rowsOf(held.accountId)).toEqual([]);
});

test('a call that is given up withdraws its questions', async () => {
  await locks.table('ledger.source');
  const giveUp = new AbortController();
  const questions = Array.from({ length: 3 }, () => ({ listSources: { caller }, timeoutMs: 10_000 }));
  const call = ledger
    .ask({ questions }, { deadline: Date.now() + 15_000, signal: giveUp.signal }, () => {})
    .catch(({ code }) => code);
  await until('they wait', async () => (await backendsWaiting('ledger.source')).length > 0);
  giveUp.abort();
  expect<unknown>(await call).toBe(status.CANCELLED);
  await until('nobody waits', async () => (await backendsWaiting('ledger.source')).length === 0);
});
