/** Services that break one rule each, and the rules that say so. */
import type { Json } from '../../fixtures/client.ts';
import { admin } from '../../fixtures/system.ts';
import type { Fault, Passed, Reply } from './proxy.ts';

/** Changes the responses to requests of one method to paths like this. */
const changed = (method: string, path: RegExp, change: (reply: Reply) => unknown) =>
  replying((reply, request) => {
    if (request.method === method && path.test(request.path)) change(reply);
  });
const replying =
  (change: (reply: Reply, request: Passed) => unknown): Fault =>
  async (request, send) => {
    const reply = await send(request);
    await change(reply, request);
    return reply;
  };
/** Responds as to the first refusal of this kind from then on. */
const refusingForEver = (code: string, method: RegExp): Fault => {
  let refused: Reply | undefined;
  return async (request, send) => {
    const reply = (method.test(request.method) && refused) || (await send(request));
    if (isCode(reply, code)) refused = reply;
    return reply;
  };
};

const TRANSACTIONS = /\/transactions(\?|$)/;
const isList = (reply: Reply) => reply.status === 200 && Array.isArray(reply.body.transactions);
const isCode = ({ body }: Reply, code: string) => body.error?.code === code;
const isPost = ({ method, path }: Passed) => method === 'POST' && TRANSACTIONS.test(path);

/** The sent entries, if they are a list. */
function entriesOf(request: Passed): Json[] | undefined {
  try {
    const body = isPost(request) && JSON.parse(new TextDecoder().decode(request.body));
    return Array.isArray(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
const withBody = (request: Passed, body: Json): Passed => ({
  ...request,
  body: new TextEncoder().encode(JSON.stringify(body)),
});
const withHeader = (request: Passed, name: string, value: string): Passed => {
  const headers = new Headers(request.headers);
  if (value === '') headers.delete(name);
  else headers.set(name, value);
  return { ...request, headers };
};

const meOf = (request: Passed): Passed => ({
  ...request,
  method: 'GET',
  path: '/api/v1/me',
  body: new Uint8Array(),
});

/** The request with a key of the same account that can write. */
async function asWriter(request: Passed, send: (request: Passed) => Promise<Reply>): Promise<Passed> {
  const { accountId } = (await send(meOf(request))).body;
  const { key } = await admin.createKey({ accountId });
  return withHeader(request, 'authorization', `Bearer ${key}`);
}

/** The broken rules, apart by spaces. */
type Case = [name: string, broken: string, fault: () => Fault];

const OF_LISTS: Case[] = [
  [
    'lists a page oldest first',
    'cursors.again cursors.stable pages.default-limit pages.filters pages.limit pages.order pages.walk',
    () => changed('GET', TRANSACTIONS, (reply) => isList(reply) && reply.body.transactions.reverse()),
  ],
  [
    'leaves an entry out of a compressed page',
    'pages.compressed',
    () =>
      replying((reply, { headers }) => {
        if (isList(reply) && headers.get('accept-encoding') === 'gzip') reply.body.transactions.pop();
      }),
  ],
  [
    'compresses pages for every client',
    'pages.compressed',
    () =>
      replying((reply) => {
        if (isList(reply)) reply.headers.set('content-encoding', 'gzip');
      }),
  ],
  [
    'reads a cursor of another list as the beginning of this one',
    'accounts.cursors cursors.damaged cursors.other-request',
    () => async (request, send) => {
      const reply = await send(request);
      if (reply.body.error?.issues?.[0]?.path !== '/cursor') return reply;
      const url = new URL(request.path, 'http://service');
      url.searchParams.delete('cursor');
      return send({ ...request, path: url.pathname + url.search });
    },
  ],
  [
    "lists the other account's sources",
    'accounts.sources',
    () => {
      const listed = new Map<string, Json>();
      return changed('GET', /\/sources$/, ({ body }) => {
        for (const source of body.sources ?? []) listed.set(source.id, source);
        if (body.sources) body.sources = [...listed.values()];
      });
    },
  ],
  [
    'loses an entry after it was created',
    'concurrency.one-reference history.books',
    () => {
      let lost: string | undefined;
      return replying(({ status, body }) => {
        if (status === 201) lost ??= body.transactions[0].id;
        if (body.nextCursor === undefined) return;
        body.transactions = body.transactions.filter(({ id }: Json) => id !== lost);
      });
    },
  ],
];

const OF_WRITES: Case[] = [
  [
    'drops the last of several issues',
    'amounts.refused categories.refused categories.wrong-types dates.refused descriptions.refused fields.not-an-object issues.at-most-100 issues.every-path references.refused types.refused',
    () =>
      changed('POST', TRANSACTIONS, ({ body }) => body.error?.issues?.length > 1 && body.error.issues.pop()),
  ],
  [
    'responds 200 in the place of 201',
    'responses.created',
    () =>
      changed('POST', TRANSACTIONS, (reply) => {
        if (reply.status === 201) reply.status = 200;
      }),
  ],
  [
    'forgets the Idempotency-Key',
    'idempotency.again idempotency.concurrent idempotency.form idempotency.other-entries idempotency.other-source idempotency.same-entries idempotency.with-references',
    () => (request, send) => send(withHeader(request, 'idempotency-key', '')),
  ],
  [
    'stores a batch without references twice',
    'entries.empty-fields entries.without-reference history.books',
    () => async (request, send) => {
      const isNameless = entriesOf(request)?.every((each) => each?.externalRef === undefined);
      if (isNameless && !request.headers.has('idempotency-key')) await send(request);
      return send(request);
    },
  ],
  [
    'stores the valid entries of a batch that it refuses',
    'amounts.refused categories.wrong-types dates.refused descriptions.refused entries.atomic fields.repeated fields.unknown history.books references.refused sources.count types.refused',
    () => async (request, send) => {
      const reply = await send(request);
      const entries = entriesOf(request);
      if (!isCode(reply, 'invalid_transaction') || !entries) return reply;
      const wrong = reply.body.error.issues.map(({ path }: Json) => Number(path.split('/')[1]));
      const valid = entries.filter((_, index) => !wrong.includes(index));
      if (valid.length > 0 && valid.length < 10) await send(withBody(request, valid));
      return reply;
    },
  ],
  [
    'is silent about conflicts',
    'references.conflicts references.twice-in-a-request',
    () => changed('POST', TRANSACTIONS, ({ body }) => delete body.conflicts),
  ],
];

const OF_KEYS_AND_LIMITS: Case[] = [
  [
    'responds 403 to an unknown key',
    'keys.malformed keys.unknown',
    () =>
      changed('GET', /./, (reply) => {
        if (isCode(reply, 'invalid_key')) reply.status = 403;
      }),
  ],
  [
    'lets a key that reads only write',
    'keys.read-only-writes',
    () => async (request, send) => {
      const reply = await send(request);
      return isCode(reply, 'read_only_key') ? send(await asWriter(request, send)) : reply;
    },
  ],
  [
    'creates the entries that it refuses to a key that reads only',
    'keys.read-only-writes',
    () => async (request, send) => {
      const reply = await send(request);
      if (isCode(reply, 'read_only_key')) await send(await asWriter(request, send));
      return reply;
    },
  ],
  [
    'says that every key can write',
    'keys.read-only-me',
    () =>
      changed('GET', /\/me$/, ({ body }) =>
        Object.assign(body.capabilities ?? {}, { writeBookkeeping: true }),
      ),
  ],
  [
    'refuses the lists to a key that cannot write',
    'keys.read-only-reads',
    () => async (request, send) => {
      const reply = await send(request);
      const isReader =
        isList(reply) && (await send(meOf(request))).body.capabilities.writeBookkeeping === false;
      return isReader ? { ...reply, status: 403 } : reply;
    },
  ],
  [
    'has no X-RateLimit-Remaining on writes',
    'limits.remaining responses.remaining',
    () => changed('POST', TRANSACTIONS, ({ headers }) => headers.delete('x-ratelimit-remaining')),
  ],
  [
    'admits more than 120 requests a minute',
    'limits.minute',
    () =>
      replying((reply) => {
        if (isCode(reply, 'rate_limited')) reply.status = 200;
      }),
  ],
  ['limits all keys together', 'limits.of-a-key', () => refusingForEver('rate_limited', /./)],
  [
    'names another entry as the first one that does not fit',
    'limits.day',
    () =>
      replying((reply) => {
        if (isCode(reply, 'daily_cap')) reply.body.error.index = 1;
      }),
  ],
  ['counts known entries at the cap of the day', 'limits.day', () => refusingForEver('daily_cap', /POST/)],
  [
    'stores the entries of a request that it refuses',
    'limits.refused',
    () => {
      let accountId = '';
      return async (request, send) => {
        const reply = await send(request);
        // The rule fills the minute of one key with these.
        if (request.path === '/api/v1/me') accountId = reply.body.accountId ?? accountId;
        if (request.method === 'POST' && isCode(reply, 'rate_limited')) {
          const { key } = await admin.createKey({ accountId });
          await send(withHeader(request, 'authorization', `Bearer ${key}`));
        }
        return reply;
      };
    },
  ],
];

export const FAULTS = [...OF_LISTS, ...OF_WRITES, ...OF_KEYS_AND_LIMITS].map(
  ([name, broken, fault]) => [name, fault, broken.split(' ')] as const,
);
