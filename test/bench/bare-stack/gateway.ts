/** HTTP in, gRPC out: one unary call for a request, bodies through JSON.parse and JSON.stringify. Checks nothing. */
import { credentials, makeGenericClientConstructor } from '@grpc/grpc-js';
import { Elysia } from 'elysia';
import type { NewEntry } from '../entries.ts';
import { CALLS, type CallName } from './rpc.ts';

const { WORKER_ADDRESS = '' } = process.env;
const Client = makeGenericClientConstructor(CALLS, 'Stack');
const client = new Client(WORKER_ADDRESS, credentials.createInsecure());

function call(name: CallName, request: unknown): Promise<ReturnType<typeof JSON.parse>> {
  return new Promise((resolve, reject) => {
    client[name]?.(JSON.stringify(request), (error: Error | null, reply: string) =>
      error ? reject(error) : resolve(JSON.parse(reply)),
    );
  });
}

function accountOf(request: Request, sourceId = '') {
  const [accountId, keyHash] = (request.headers.get('authorization') ?? '')
    .slice('Bearer '.length)
    .split(':');
  return { accountId, keyHash, sourceId };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: JSON_TYPE });

const app = new Elysia()
  .get('/api/v1/me', async ({ request }) => json(await call('authenticate', accountOf(request))))
  .get('/api/v1/sources/:id/transactions', async ({ request, params, query }) => {
    const limit = Number(query.limit);
    const entries = await call('page', { account: accountOf(request, params.id), limit });
    const hasMore = entries.length > limit;
    if (hasMore) entries.pop();
    const last = entries.at(-1);
    return json({ transactions: entries, nextCursor: hasMore ? `${last.date}_${last.id}` : null });
  })
  .post(
    '/api/v1/sources/:id/transactions',
    async ({ request, params }) => {
      const body: NewEntry | NewEntry[] = JSON.parse(await request.text());
      const entries = (Array.isArray(body) ? body : [body]).map((entry) => ({
        ...entry,
        id: Bun.randomUUIDv7(),
      }));
      const { added, result } = await call('create', { account: accountOf(request, params.id), entries });
      if (result) return new Response(result, { status: added > 0 ? 201 : 200, headers: JSON_TYPE });
      const transactions = entries.map(({ id, externalRef }) => ({ id, externalRef }));
      return json({ created: added, deduplicated: 0, transactions, existing: [] }, 201);
    },
    { parse: 'none' },
  )
  .listen({ hostname: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${app.server?.port}` }));

process.once('SIGTERM', () => process.exit(0));
