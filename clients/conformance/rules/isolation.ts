/** Rules about two accounts: neither sees or changes anything of the other (docs/api/requests.md). */
import type { Json } from '../exchange.ts';
import { expectCounts, expectError, expectSame, expectStatus, expectThat } from '../expect.ts';
import type { ConformanceRule } from '../rule.ts';
import { expectNothingOn } from './entries.ts';
import { threeDays } from './pages.ts';

const PAGE = 'docs/api/requests.md#authentication';

export const isolationRules: ConformanceRule[] = [
  {
    id: 'accounts.sources',
    page: PAGE,
    sentence: 'No source of one account is listed for the other.',
    async check({ account, other }) {
      const idsOf = async (reader: typeof account) => {
        const response = await reader.get('/api/v1/sources');
        expectStatus(response, 200);
        return { response, ids: response.body.sources.map(({ id }: Json) => id) };
      };
      const [own, others] = [await idsOf(account), await idsOf(other)];
      for (const [{ response, ids }, foreign] of [
        [own, other.sources],
        [others, account.sources],
      ] as const) {
        const leaked = ids.filter((id: string) => foreign.some((source) => source.id === id));
        expectSame(response, leaked, [], 'the listed sources of the other account');
      }
    },
  },
  {
    id: 'accounts.read',
    page: PAGE,
    sentence: 'A source of the other account is source_not_found to read, like one that does not exist.',
    async check({ account, other }) {
      const response = await account.page({}, other.source.id);
      expectError(response, 404, 'source_not_found');
      const absent = await account.page({}, crypto.randomUUID());
      const { code, ...members } = response.body.error;
      expectSame(
        response,
        [code, ...Object.keys(members)],
        [absent.body.error.code, ...Object.keys(members)],
        'the error',
      );
    },
  },
  {
    id: 'accounts.write',
    page: PAGE,
    sentence: 'A source of the other account is source_not_found to write, and nothing is stored there.',
    async check(context) {
      const { account, other } = context;
      const sent = context.entry(context.day());
      expectError(await account.post(sent, { source: other.source.id }), 404, 'source_not_found');
      await expectNothingOn({ account: other }, sent.date);
      await expectNothingOn(context, sent.date);
    },
  },
  {
    id: 'accounts.references',
    page: 'docs/api/references.md#repeat-a-request',
    sentence:
      'A reference of the other account is new: it creates an entry with an id of its own, and each account knows its own.',
    async check(context) {
      const sent = context.entry(context.day());
      const [created] = await context.account.create([sent]);
      const response = await context.other.post(sent);
      expectCounts(response, 1, 0);
      expectThat(
        response,
        response.body.transactions[0].id !== created.id,
        'an id that the other account does not have',
      );
      for (const [each, id] of [
        [context.account, created.id],
        [context.other, response.body.transactions[0].id],
      ] as const) {
        const again = await each.post(sent);
        expectSame(again, again.body.existing, [{ id, externalRef: sent.externalRef }], 'existing');
      }
    },
  },
  {
    id: 'accounts.entries',
    page: PAGE,
    sentence: 'Entries of one account are not listed for the other.',
    async check(context) {
      const { period } = await threeDays(context, 1);
      const { entries, last } = await context.other.list([period.from, period.to]);
      expectSame(last, entries.length, 0, 'the number of listed entries');
    },
  },
  {
    id: 'accounts.cursors',
    page: 'docs/api/paging.md#read-all-pages',
    sentence: 'A cursor of the other account is 422 invalid_query.',
    async check(context) {
      const { period, listed } = await threeDays(context, 1);
      const cursor = (await listed({ ...period, limit: 1 })).response.body.nextCursor;
      expectError(await context.other.page({ ...period, cursor }), 422, 'invalid_query', ['/cursor']);
    },
  },
];
