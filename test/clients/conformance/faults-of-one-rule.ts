/** Services with one fault each, and a rule that finds it: checked alone, because others find it or not from run to run. */
import type { Json } from '../../fixtures/client.ts';
import { admin } from '../../fixtures/system.ts';
import type { Fault, Reply } from './proxy.ts';

const isCode = ({ body }: Reply, code: string) => body.error?.code === code;

export const FAULTS_OF_ONE_RULE: [name: string, rule: string, fault: () => Fault][] = [
  [
    'loses an entry after it was created',
    'concurrency.linearizable',
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
  ],
  [
    'counts an entry before it is created',
    'concurrency.linearizable',
    () => async (request, send) => {
      const reply = await send(request);
      for (const source of reply.body.sources ?? []) source.transactionCount += source.transactionCount > 0;
      return reply;
    },
  ],
  [
    'stores one batch twice',
    'concurrency.linearizable',
    () => {
      let isDoubled = false;
      return async (request, send) => {
        const reply = await send(request);
        if (isDoubled || reply.status !== 201 || request.headers.has('idempotency-key')) return reply;
        if (reply.body.transactions.every(({ externalRef }: Json) => externalRef !== null)) return reply;
        isDoubled = true;
        await send(request);
        return reply;
      };
    },
  ],
  [
    'admits more than 120 requests a minute',
    'limits.minute',
    () => async (request, send) => {
      const reply = await send(request);
      if (isCode(reply, 'rate_limited')) reply.status = 200;
      return reply;
    },
  ],
  [
    'limits all keys together',
    'limits.of-a-key',
    () => {
      let refused: Reply | undefined;
      return async (request, send) => {
        const reply = refused ?? (await send(request));
        if (isCode(reply, 'rate_limited')) refused = reply;
        refused?.headers.set('retry-after', '0');
        return reply;
      };
    },
  ],
  [
    'stores the entries of a request that it refuses',
    'limits.refused',
    () => {
      let [accountId, key]: [string, string | undefined] = ['', undefined];
      return async (request, send) => {
        const headers = new Headers(request.headers);
        if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
        const reply = await send({ ...request, headers });
        // The rule fills the minute of one key with these.
        if (request.path === '/api/v1/me') accountId = reply.body.accountId ?? accountId;
        if (request.method === 'POST' && isCode(reply, 'rate_limited')) {
          // With another key the wait of a minute is over at once.
          ({ key } = await admin.createKey({ accountId }));
          reply.headers.set('retry-after', '0');
          headers.set('authorization', `Bearer ${key}`);
          await send({ ...request, headers });
        }
        return reply;
      };
    },
  ],
  [
    'counts known entries at the cap of the day',
    'limits.day',
    () => {
      let refused: Reply | undefined;
      return async (request, send) => {
        const reply = (request.method === 'POST' && refused) || (await send(request));
        if (isCode(reply, 'daily_cap')) refused = reply;
        return reply;
      };
    },
  ],
];
