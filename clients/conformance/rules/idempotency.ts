/** Rules about the Idempotency-Key (docs/api/idempotency-keys.md). */
import type { Context } from '../context.ts';
import type { Json } from '../exchange.ts';
import { expectCounts, expectError, expectSame, expectStatus } from '../expect.ts';
import type { ConformanceRule } from '../rule.ts';

const SAME = 'docs/api/idempotency-keys.md#what-is-the-same-request';
const FORM = 'docs/api/idempotency-keys.md#form-and-duration';

const newKey = () => ({ 'idempotency-key': crypto.randomUUID() });

/** Entries without references. */
const nameless = (context: Context, date: string, count: number) =>
  context.entries(date, count, { externalRef: undefined });

async function expectStored({ account }: Context, date: string, count: number): Promise<void> {
  const { entries, last } = await account.list([date]);
  expectSame(last, entries.length, count, 'the number of stored entries');
}

export const idempotencyRules: ConformanceRule[] = [
  {
    id: 'idempotency.again',
    page: 'docs/api/idempotency-keys.md#send-a-key',
    sentence: 'The same request under the same key creates nothing, and gets the first response again.',
    async check(context) {
      const date = context.day();
      const sent = nameless(context, date, 2);
      const headers = newKey();
      const first = await context.account.post(sent, { headers });
      expectCounts(first, 2, 0);
      const again = await context.account.post(sent, { headers });
      expectStatus(again, 200, 201);
      expectSame(again, again.body, first.body, 'the body');
      await expectStored(context, date, 2);
    },
  },
  {
    id: 'idempotency.same-entries',
    page: SAME,
    sentence: 'Formatting and order of properties do not matter, and a single entry equals an array of one.',
    async check(context) {
      const date = context.day();
      const [sent = {}] = nameless(context, date, 1);
      const headers = newKey();
      const first = await context.account.post(sent, { headers });
      expectCounts(first, 1, 0);
      const turned = Object.fromEntries(Object.entries(sent).reverse());
      for (const body of [[sent], JSON.stringify([turned], null, 2)]) {
        const again = await context.account.post(body, { headers });
        expectSame(again, again.body, first.body, 'the body');
      }
      await expectStored(context, date, 1);
    },
  },
  {
    id: 'idempotency.other-entries',
    page: 'docs/api/error-codes.md#idempotency_key_reused',
    sentence: 'Other entries under the same key are 422 idempotency_key_reused, and nothing is created.',
    async check(context) {
      const date = context.day();
      const [one = {}, two] = nameless(context, date, 2);
      const headers = newKey();
      expectCounts(await context.account.post(one, { headers }), 1, 0);
      for (const other of [{ ...one, amountPence: 1 }, { ...one, type: 'expense' }, [one, two]]) {
        expectError(await context.account.post(other, { headers }), 422, 'idempotency_key_reused');
      }
      await expectStored(context, date, 1);
    },
  },
  {
    id: 'idempotency.other-source',
    page: SAME,
    sentence: 'Another source under the same key is 422 idempotency_key_reused.',
    async check(context) {
      const { account, another } = context.twoSources();
      const date = context.day();
      const sent = nameless(context, date, 1);
      const headers = newKey();
      expectCounts(await account.post(sent, { headers }), 1, 0);
      const response = await account.post(sent, { headers, source: another });
      expectError(response, 422, 'idempotency_key_reused');
      const { entries, last } = await account.list([date], { source: another });
      expectSame(last, entries.length, 0, 'the number of entries that the other source has');
    },
  },
  {
    id: 'idempotency.after-a-refusal',
    page: SAME,
    sentence: 'A refused request leaves no trace: the corrected one may use the same key.',
    async check(context) {
      const date = context.day();
      const [sent = {}] = nameless(context, date, 1);
      const headers = newKey();
      const refused = await context.account.post({ ...sent, amountPence: 0 }, { headers });
      expectError(refused, 422, 'invalid_transaction');
      expectCounts(await context.account.post(sent, { headers }), 1, 0);
    },
  },
  {
    id: 'idempotency.form',
    page: FORM,
    sentence: 'A key is 1 to 255 visible ASCII characters: one word, or one string in double quotes.',
    async check(context) {
      const { account } = context;
      const date = context.day();
      const own = crypto.randomUUID();
      for (const key of [
        own.padEnd(255, 'x'),
        `"${own} with spaces, and a comma"`,
        `!#$%&'()*+,-./:;${own}`,
      ]) {
        const [sent = {}] = nameless(context, date, 1);
        const headers = { 'idempotency-key': key };
        const first = await account.post(sent, { headers });
        expectCounts(first, 1, 0);
        const again = await account.post(sent, { headers });
        expectSame(again, again.body, first.body, 'the body');
      }
      for (const key of [own.padEnd(256, 'x'), `${own} b`, `${own}, b`, `"${own}`, '""', 'clé', '']) {
        const headers = { 'idempotency-key': key };
        const [sent = {}] = nameless(context, date, 1);
        expectError(await account.post(sent, { headers }), 400, 'invalid_idempotency_key');
      }
      await expectStored(context, date, 3);
    },
  },
  {
    id: 'idempotency.of-an-account',
    page: FORM,
    sentence: 'A key belongs to the account: another account may use the same one.',
    async check(context) {
      const date = context.day();
      const sent = nameless(context, date, 1);
      const headers = newKey();
      const first = await context.account.post(sent, { headers });
      expectCounts(first, 1, 0);
      const other = await context.other.post(sent, { headers });
      expectCounts(other, 1, 0);
      const { entries, last } = await context.other.list([date]);
      const ids = entries.map(({ id }) => id);
      expectSame(
        last,
        ids,
        other.body.transactions.map(({ id }: Json) => id),
        'the ids of the other account',
      );
    },
  },
  {
    id: 'idempotency.with-references',
    page: 'docs/api/idempotency-keys.md#together-with-references',
    sentence: 'The first response is repeated, including what was deduplicated then.',
    async check(context) {
      const [known, fresh] = context.entries(context.day(), 2);
      await context.account.create([known ?? {}]);
      const headers = newKey();
      const first = await context.account.post([known, fresh], { headers });
      expectCounts(first, 1, 1);
      const again = await context.account.post([known, fresh], { headers });
      expectStatus(again, 200, 201);
      expectSame(again, again.body, first.body, 'the body');
    },
  },
  {
    id: 'idempotency.concurrent',
    page: 'docs/api/idempotency-keys.md',
    sentence: 'Of requests at the same time under one key one creates, and all get the same entries.',
    async check(context) {
      const date = context.day();
      const sent = nameless(context, date, 3);
      const headers = newKey();
      const all = Array.from({ length: 8 }, () => context.account.post(sent, { headers }));
      const [first, ...others] = await Promise.all(all);
      for (const response of others) {
        expectStatus(response, 200, 201);
        expectSame(response, response.body, first?.body, 'the body');
      }
      await expectStored(context, date, 3);
    },
  },
];
