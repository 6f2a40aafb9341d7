/** Rules about every response of the run. They run after the others. */
import type { TestedAccount } from '../account.ts';
import type { Context } from '../context.ts';
import { faultsOf } from '../described.ts';
import type { Exchange, Json } from '../exchange.ts';
import { expectSame, expectStatus, expectThat, pathsOf } from '../expect.ts';
import type { ConformanceRule } from '../rule.ts';
import { endpoints } from './keys.ts';

/** The exchanges of the run. Sends one of each kind first, in case no other rule was checked. */
async function exchanges(context: Context): Promise<Exchange[]> {
  const { account } = context;
  for (const [path, options] of endpoints(context)) await account.request(path, options);
  await account.post(context.entry(context.day(), { amountPence: 0 }));
  await account.page({ limit: 0 });
  await account.get('/api/v1/receipts');
  return context.history.filter(({ request }) => request.method !== 'HEAD');
}

const isPublic = ({ request }: Exchange) => /^\/api\/v1\/(openapi\.json|docs)/.test(request.path);
const isSuccess = ({ status }: Exchange) => status >= 200 && status < 300;
const isError = ({ status }: Exchange) => status >= 400;

/** The schema of a successful response. */
function schemaOf({ request }: Exchange): string | undefined {
  if (request.method === 'POST') return 'CreateResult';
  const path = request.path.replace(/^\/api\/v1/, '');
  if (path === '/me') return 'Account';
  if (path === '/sources') return 'SourceList';
  if (path === '/categories') return 'CategorySets';
  if (path.startsWith('/categories?')) return 'CategorySet';
  return /^\/sources\/[^/]+\/transactions/.test(path) ? 'TransactionList' : undefined;
}

const idsOf = (list: Json[]): string[] => list.map(({ id }) => id);

/** The ids that responses reported as created. */
export const createdIn = (history: readonly Exchange[]): string[] => {
  const reported = history
    .filter((each) => each.request.method === 'POST' && isSuccess(each))
    .flatMap(({ body }): Json[] => (Array.isArray(body?.transactions) ? body.transactions : []));
  return [...new Set(idsOf(reported))];
};

/** Whether all dates that the request shows are of this year. */
const isOfYear = ({ request }: Exchange, year: number) =>
  [...request.body.matchAll(/"date":"(\d{4})/g)].every(([, each]) => each === `${year}`);

/** Fails unless the sources of this account have exactly the entries that were reported as created. */
async function expectBooks({ books, history }: Context, account: TestedAccount): Promise<void> {
  const listed: string[] = [];
  const ofAccount = history.filter((each) => each.account === account.options.name);
  for (const { id: source } of account.sources) {
    const { entries, last } = await account.list([`${books.year}-01-01`, `${books.year}-12-31`], { source });
    const own = entries.filter(({ description }) => {
      const isOfAnotherRun = description?.startsWith('conformance-') && !description.startsWith(books.prefix);
      return !isOfAnotherRun;
    });
    listed.push(...idsOf(own));
    expectSame(last, new Set(listed).size, listed.length, 'the number of different ids');
    const reported = new Set(createdIn(ofAccount));
    const unreported = own.filter(({ id }) => !reported.has(id));
    expectSame(last, unreported, [], 'the entries that no response reported');
  }
  const lost = createdIn(ofAccount.filter((each) => isOfYear(each, books.year))).filter(
    (id) => !listed.includes(id),
  );
  const last = history.at(-1);
  if (last) expectSame(last, lost, [], 'the reported ids that are not listed');
}

export const historyRules: ConformanceRule[] = [
  {
    id: 'responses.described',
    page: 'docs/api/versions.md',
    sentence: 'Every successful response has the members that the description names, of their types.',
    async check(context) {
      for (const each of (await exchanges(context)).filter(isSuccess)) {
        const schema = schemaOf(each);
        if (schema) expectSame(each, faultsOf(schema, each.body), [], `the differences to ${schema}`);
      }
    },
  },
  {
    id: 'responses.created',
    page: 'docs/api/entries.md#create-a-batch',
    sentence:
      'The status of a POST is 201 if at least one entry was created, and 200 if every entry was known.',
    async check(context) {
      for (const each of (await exchanges(context)).filter(isSuccess)) {
        if (each.request.method === 'POST') expectStatus(each, each.body.created > 0 ? 201 : 200);
      }
    },
  },
  {
    id: 'responses.json',
    page: 'docs/api/errors.md',
    sentence: 'Every response with data and every error is declared as JSON.',
    async check(context) {
      for (const each of (await exchanges(context)).filter((one) => isError(one) || schemaOf(one))) {
        const type = each.headers.get('content-type') ?? '';
        expectThat(each, /^application\/json\b/.test(type), 'the Content-Type application/json');
      }
    },
  },
  {
    id: 'responses.request-id',
    page: 'docs/api/requests.md#request-ids',
    sentence: 'Every response has an X-Request-Id, of its own where the client gave none.',
    async check(context) {
      const seen = new Set<string>();
      for (const each of await exchanges(context)) {
        const id = each.headers.get('x-request-id');
        expectThat(each, id !== null && id !== '', 'the header X-Request-Id');
        if (id === null || 'x-request-id' in each.request.headers) continue;
        expectThat(each, !seen.has(id), `an X-Request-Id that no earlier response has`);
        seen.add(id);
      }
    },
  },
  {
    id: 'responses.no-store',
    page: 'docs/api/requests.md#methods-and-paths',
    sentence: 'Responses with data of an account, and errors, carry Cache-Control: no-store.',
    async check(context) {
      const withData = ['Account', 'SourceList', 'TransactionList', 'CreateResult'];
      for (const each of await exchanges(context)) {
        if (isPublic(each) || (isSuccess(each) && !withData.includes(schemaOf(each) ?? ''))) continue;
        const value = each.headers.get('cache-control') ?? '';
        expectThat(each, value.includes('no-store'), 'the header Cache-Control: no-store');
      }
    },
  },
  {
    id: 'responses.remaining',
    page: 'docs/api/limits.md#requests-per-minute',
    sentence: 'Every successful response has X-RateLimit-Remaining, and the same number in RateLimit.',
    async check(context) {
      const successes = (await exchanges(context)).filter((each) => isSuccess(each) && !isPublic(each));
      for (const each of successes) {
        const remaining = each.headers.get('x-ratelimit-remaining') ?? '';
        expectThat(
          each,
          /^\d+$/.test(remaining) && Number(remaining) < 120,
          'X-RateLimit-Remaining of 0 to 119',
        );
        const policy = each.headers.get('ratelimit-policy') ?? '';
        expectThat(each, /"minute";q=120;w=60\b/.test(policy), 'RateLimit-Policy with "minute";q=120;w=60');
        const minute = new RegExp(`"minute";r=${remaining}(?!\\d)`);
        expectThat(
          each,
          minute.test(each.headers.get('ratelimit') ?? ''),
          `RateLimit with "minute";r=${remaining}`,
        );
      }
    },
  },
  {
    id: 'errors.shape',
    page: 'docs/api/errors.md',
    sentence: 'Every failure has the described body, with a code and a message.',
    async check(context) {
      for (const each of (await exchanges(context)).filter(isError)) {
        expectSame(each, faultsOf('Error', each.body), [], 'the differences to Error');
        expectThat(each, each.body.error.message.length > 0, 'a message');
      }
    },
  },
  {
    id: 'errors.issues',
    page: 'docs/api/errors.md#issues',
    sentence: 'invalid_query, invalid_transaction and invalid_category have issues, each path once.',
    async check(context) {
      const codes = ['invalid_query', 'invalid_transaction', 'invalid_category'];
      for (const each of (await exchanges(context)).filter(({ body }) => codes.includes(body?.error?.code))) {
        const paths = pathsOf(each);
        expectThat(each, paths.length > 0, 'at least one issue');
        expectSame(each, new Set(paths).size, paths.length, 'the number of different paths');
      }
    },
  },
  {
    id: 'history.books',
    page: 'docs/api/errors.md#what-to-do',
    sentence:
      'The books have exactly the entries that responses reported as created, and none of a refused request.',
    async check(context) {
      await exchanges(context);
      await expectBooks(context, context.account);
      await expectBooks(context, context.other);
    },
  },
];
