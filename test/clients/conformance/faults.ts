/** Services that break one rule each, and the rules that say so. */
import type { Json } from '../../fixtures/client.ts';
import { admin } from '../../fixtures/system.ts';
import type { Fault, Passed, Reply } from './proxy.ts';

/** Changes the successful responses to requests of one method to paths like this. */
const changed =
  (method: string, path: RegExp, change: (reply: Reply) => void): (() => Fault) =>
  () =>
  async (request, send) => {
    const reply = await send(request);
    if (request.method === method && path.test(request.path)) change(reply);
    return reply;
  };

const TRANSACTIONS = /\/transactions(\?|$)/;
const isList = (reply: Reply) => reply.status === 200 && Array.isArray(reply.body.transactions);

const bodyOf = ({ body }: Passed): Json => {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
};
const withBody = (request: Passed, body: Json): Passed => ({
  ...request,
  body: new TextEncoder().encode(JSON.stringify(body)),
});
const without = (request: Passed, header: string): Passed => {
  const headers = new Headers(request.headers);
  headers.delete(header);
  return { ...request, headers };
};
const isPost = ({ method, path }: Passed) => method === 'POST' && TRANSACTIONS.test(path);

/** The sources of every account. */
const listed: Json[] = [];

const words = (text: string) => text.trim().split(/\s+/);
const isCode = ({ body }: Reply, code: string) => body.error?.code === code;

export const FAULTS: [name: string, fault: () => Fault, broken: string[]][] = [
  [
    'drops the last of several issues',
    changed('POST', TRANSACTIONS, ({ body }) => {
      if (body.error?.issues?.length > 1) body.error.issues.pop();
    }),
    words(`
      amounts.refused categories.refused categories.wrong-types dates.refused descriptions.refused
      fields.not-an-object issues.at-most-100 issues.every-path references.refused types.refused
    `),
  ],
  [
    'responds 200 in the place of 201',
    changed('POST', TRANSACTIONS, (reply) => {
      if (reply.status === 201) reply.status = 200;
    }),
    ['responses.created'],
  ],
  [
    'lists a page oldest first',
    changed('GET', TRANSACTIONS, (reply) => {
      if (isList(reply)) reply.body.transactions.reverse();
    }),
    words(`
      cursors.again cursors.stable pages.default-limit pages.filters pages.limit pages.order pages.walk
    `),
  ],
  [
    'forgets the Idempotency-Key',
    () => (request, send) => send(without(request, 'idempotency-key')),
    words(`
      idempotency.again idempotency.concurrent idempotency.form idempotency.other-entries
      idempotency.other-source idempotency.same-entries idempotency.with-references
    `),
  ],
  [
    'stores a batch without references twice',
    () => async (request, send) => {
      const body = isPost(request) ? bodyOf(request) : undefined;
      const isNameless = Array.isArray(body) && body.every((each) => each?.externalRef === undefined);
      if (isNameless && !request.headers.has('idempotency-key')) await send(request);
      return send(request);
    },
    ['entries.empty-fields', 'entries.without-reference', 'history.books'],
  ],
  [
    'stores the valid entries of a batch that it refuses',
    () => async (request, send) => {
      const reply = await send(request);
      const body = isPost(request) ? bodyOf(request) : undefined;
      if (reply.body.error?.code !== 'invalid_transaction' || !Array.isArray(body)) return reply;
      const wrong = reply.body.error.issues.map(({ path }: Json) => Number(path.split('/')[1]));
      const valid = body.filter((_, index) => !wrong.includes(index));
      if (valid.length > 0 && valid.length < 10) await send(withBody(request, valid));
      return reply;
    },
    words(`
      amounts.refused categories.wrong-types dates.refused descriptions.refused entries.atomic
      fields.repeated fields.unknown history.books references.refused sources.count types.refused
    `),
  ],
  [
    'is silent about conflicts',
    changed('POST', TRANSACTIONS, ({ body }) => {
      delete body.conflicts;
    }),
    ['references.conflicts', 'references.twice-in-a-request'],
  ],
  [
    'has no X-RateLimit-Remaining on writes',
    changed('POST', TRANSACTIONS, ({ headers }) => headers.delete('x-ratelimit-remaining')),
    ['limits.remaining', 'responses.remaining'],
  ],
  [
    'responds 403 to an unknown key',
    changed('GET', /./, (reply) => {
      if (reply.body.error?.code === 'invalid_key') reply.status = 403;
    }),
    ['keys.malformed', 'keys.unknown'],
  ],
  [
    'reads a cursor of another list as the beginning of this one',
    () => async (request, send) => {
      const reply = await send(request);
      if (reply.body.error?.issues?.[0]?.path !== '/cursor') return reply;
      const url = new URL(request.path, 'http://service');
      url.searchParams.delete('cursor');
      return send({ ...request, path: url.pathname + url.search });
    },
    ['accounts.cursors', 'cursors.damaged', 'cursors.other-request'],
  ],
  [
    "lists the other account's sources",
    () => async (request, send) => {
      const reply = await send(request);
      if (request.path !== '/api/v1/sources' || !Array.isArray(reply.body.sources)) return reply;
      const own = reply.body.sources;
      const others = listed.filter(({ id }) => !own.some((source: Json) => source.id === id));
      for (const source of own) if (!listed.some(({ id }) => id === source.id)) listed.push(source);
      reply.body.sources = [...own, ...others];
      return reply;
    },
    ['accounts.sources'],
  ],
  [
    'loses an entry after it was created',
    () => {
      let lost: string | undefined;
      return async (request, send) => {
        const reply = await send(request);
        if (reply.status === 201) lost ??= reply.body.transactions[0].id;
        if (reply.body.nextCursor === undefined) return reply;
        reply.body.transactions = reply.body.transactions.filter(({ id }: Json) => id !== lost);
        return reply;
      };
    },
    ['concurrency.one-reference', 'history.books'],
  ],
  [
    'admits more than 120 requests a minute',
    () => async (request, send) => {
      const reply = await send(request);
      if (isCode(reply, 'rate_limited')) reply.status = 200;
      return reply;
    },
    ['limits.minute'],
  ],
  [
    'limits all keys together',
    () => {
      let refused: Reply | undefined;
      return async (request, send) => {
        const reply = refused ?? (await send(request));
        if (isCode(reply, 'rate_limited')) refused = reply;
        return reply;
      };
    },
    ['limits.of-a-key'],
  ],
  [
    'stores the entries of a request that it refuses',
    () => {
      let accountId = '';
      return async (request, send) => {
        const reply = await send(request);
        // The rule fills the minute of one key with these.
        if (request.path === '/api/v1/me') accountId = reply.body.accountId ?? accountId;
        if (request.method === 'POST' && isCode(reply, 'rate_limited')) {
          const { key } = await admin.createKey({ accountId });
          const headers = new Headers(request.headers);
          headers.set('authorization', `Bearer ${key}`);
          await send({ ...request, headers });
        }
        return reply;
      };
    },
    ['limits.refused'],
  ],
  [
    'counts known entries at the cap of the day',
    () => {
      let refused: Reply | undefined;
      return async (request, send) => {
        const reply = (request.method === 'POST' && refused) || (await send(request));
        if (isCode(reply, 'daily_cap')) refused = reply;
        return reply;
      };
    },
    ['limits.day'],
  ],
];
