/** Rules about the limits of a minute and of a day (docs/api/limits.md). They run last: they use up what they check. */
import { type TestedAccount, transactions } from '../account.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../exchange.ts';
import { expectCounts, expectError, expectSame, expectStatus, expectThat, NotChecked } from '../expect.ts';
import { REQUESTS_PER_MINUTE } from '../minute.ts';
import type { ConformanceRule } from '../rule.ts';
import { endpoints } from './keys.ts';

const MINUTE = 'docs/api/limits.md#requests-per-minute';
const DAY = 'docs/api/limits.md#the-daily-cap';
const BATCH_MAX = 500;
const ENTRIES_PER_DAY = 5_000;
// The service counts a request at some time between its sending and its response.
const SLACK_MS = 1_500;

const remainingOf = ({ headers }: Exchange) => Number(headers.get('x-ratelimit-remaining') ?? Number.NaN);
const retryAfterOf = ({ headers }: Exchange) => Number(headers.get('retry-after') ?? Number.NaN);

/** The exchanges with the key of this account between two times. */
const exchangesBetween = ({ history, options }: TestedAccount, from: number, to: number) =>
  history.filter(
    ({ account, sentAt, receivedAt }) => account === options.name && sentAt >= from && receivedAt <= to,
  );

/** Sends requests until one is refused. @throws Broken if none is */
async function fillMinute(account: TestedAccount): Promise<Exchange> {
  for (let rounds = 0; ; rounds++) {
    const round = await Promise.all(Array.from({ length: 20 }, () => account.requestNow('/api/v1/me')));
    const refused = round.find(({ status }) => status === 429);
    if (refused) return refused;
    const [last] = round;
    if (last) expectThat(last, rounds < 10, 'status 429 at the latest after 220 requests in a row');
  }
}

const first = ({ account, other }: Context) => (account.options.name === 'first' ? account : other);
const second = ({ account, other }: Context) => (account.options.name === 'second' ? account : other);

export const remainingRules: ConformanceRule[] = [
  {
    id: 'limits.remaining',
    page: MINUTE,
    sentence: 'Each success on any endpoint counts X-RateLimit-Remaining down by one.',
    async check(context) {
      const { account } = context;
      let before = await account.get('/api/v1/me');
      for (const [path, options] of endpoints(context)) {
        const response = await account.request(path, options);
        expectThat(response, response.status < 300, 'status 200 or 201');
        // Requests that left the window meanwhile no longer count.
        const left = exchangesBetween(
          account,
          before.sentAt - 60_000 - SLACK_MS,
          response.receivedAt - 60_000 + SLACK_MS,
        );
        const [remaining, least] = [remainingOf(response), remainingOf(before) - 1];
        const isNext = remaining >= least && remaining <= least + left.length;
        expectThat(response, isNext, `X-RateLimit-Remaining to be ${least}, not ${remaining}`);
        before = response;
      }
    },
  },
];

export const dayRules: ConformanceRule[] = [
  {
    id: 'limits.day',
    page: DAY,
    sentence:
      'Entries that do not fit in 5,000 of 24 hours are 429 daily_cap, and nothing is created; the entries before `index` fit, and known entries do.',
    async check(context) {
      if (!context.options.fillDay)
        throw new NotChecked('It takes 5,000 entries, which cannot be deleted: give --fill-day.');
      // The minute of the other key is used up later, by requests that create entries.
      const account = first(context);
      const known = context.entry(context.day());
      await account.create([known]);
      let [date, refused]: [string, Exchange | undefined] = ['', undefined];
      for (let sent = 0; sent <= ENTRIES_PER_DAY && !refused; sent += BATCH_MAX) {
        date = context.day();
        const response = await account.post(context.entries(date, BATCH_MAX));
        if (response.status === 429) refused = response;
        else expectStatus(response, 200, 201);
      }
      if (!refused) throw new NotChecked('The account could create more than 5,000 entries.');
      expectError(refused, 429, 'daily_cap');
      const { limit, remaining, retryAfterSeconds } = refused.body.error;
      expectSame(refused, limit, ENTRIES_PER_DAY, 'limit');
      expectSame(refused, retryAfterOf(refused), retryAfterSeconds, 'Retry-After');
      const { entries, last } = await account.list([date]);
      expectSame(last, entries.length, 0, 'the number of stored entries');
      const more = [known, ...context.entries(date, remaining + 1)].slice(-BATCH_MAX);
      const fit = more.slice(0, -1);
      const over = await account.post(more);
      expectError(over, 429, 'daily_cap');
      expectSame(over, over.body.error.index, fit.length, 'index');
      if (fit.length > 0) expectCounts(await account.post(fit), remaining, fit.length - remaining);
      const full = await account.post(context.entry(date));
      expectError(full, 429, 'daily_cap');
      expectSame(full, full.body.error.remaining, 0, 'remaining');
      expectSame(full, full.body.error.index, 0, 'index');
      expectCounts(await account.post(known), 0, 1);
    },
  },
];

export const minuteRules: ConformanceRule[] = [
  {
    id: 'limits.minute',
    page: MINUTE,
    sentence:
      'A key has 120 requests in any 60 seconds; the next is 429 rate_limited with Retry-After and X-RateLimit-Remaining: 0.',
    async check(context) {
      const account = second(context);
      const refused = await fillMinute(account);
      expectError(refused, 429, 'rate_limited');
      expectSame(refused, remainingOf(refused), 0, 'X-RateLimit-Remaining');
      const retryAfter = retryAfterOf(refused);
      expectThat(
        refused,
        Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 61,
        'a Retry-After of 1 to 60 seconds',
      );
      const surely = exchangesBetween(account, refused.sentAt - 60_000 + SLACK_MS, refused.receivedAt).filter(
        ({ status }) => status < 300,
      ).length;
      expectThat(
        refused,
        surely <= REQUESTS_PER_MINUTE,
        `at most 120 requests to be admitted in a minute, not ${surely}`,
      );
      // A concurrent request may have been counted before the refused one.
      const atMost = account.history.filter(
        ({ account: name, status, sentAt, receivedAt }) =>
          name === account.options.name &&
          status !== 429 &&
          receivedAt >= refused.sentAt - 60_000 - SLACK_MS &&
          sentAt <= refused.receivedAt,
      ).length;
      expectThat(
        refused,
        atMost >= REQUESTS_PER_MINUTE,
        `120 requests to be admitted in a minute, not ${atMost}`,
      );
    },
  },
  {
    id: 'limits.of-a-key',
    page: MINUTE,
    sentence: 'Each key has a limit of its own: while one has used its minute, the other is admitted.',
    async check(context) {
      await fillMinute(second(context));
      expectStatus(await first(context).get('/api/v1/me'), 200);
    },
  },
  {
    id: 'limits.refused',
    page: 'docs/api/errors.md#what-to-do',
    sentence:
      'A request that is 429 rate_limited stores nothing, and is admitted after the seconds of Retry-After.',
    async check(context) {
      const account = second(context);
      await fillMinute(account);
      const sent = context.entry(context.day());
      const body = JSON.stringify(sent);
      const headers = { 'content-type': 'application/json' };
      const refused = await account.requestNow(transactions(account.source.id), {
        method: 'POST',
        headers,
        body,
      });
      expectError(refused, 429, 'rate_limited');
      await account.minute.refused(retryAfterOf(refused));
      // The same reference shows whether the refused entry is stored.
      const response = await account.requestNow(transactions(account.source.id), {
        method: 'POST',
        headers,
        body,
      });
      expectCounts(response, 1, 0);
    },
  },
];
