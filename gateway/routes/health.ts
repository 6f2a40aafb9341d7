/** GET /healthz (liveness) and /readyz (readiness), for operators; not part of the API. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Elysia } from 'elysia';
import { methodNotAllowed, type RouteDependencies, UNPARSED_BODY } from './hooks.ts';

export interface HealthOptions extends Pick<RouteDependencies, 'ledger'> {
  /** Aborted when the process drains. */
  draining: AbortSignal;
  isRedisAvailable(): Promise<boolean>;
}

export const health = ({ ledger, isRedisAvailable, draining }: HealthOptions) => {
  let pending: Promise<[boolean, boolean]> | undefined;
  /** Concurrent requests share one check: anybody can send many. */
  const check = () => {
    pending ??= Promise.all([ledger.isServing(), isRedisAvailable()]).finally(() => {
      pending = undefined;
    });
    return pending;
  };
  return new Elysia()
    .all('/healthz', methodNotAllowed('GET, HEAD'), UNPARSED_BODY)
    .all('/readyz', methodNotAllowed('GET, HEAD'), UNPARSED_BODY)
    .get('/healthz', async () => {
      // As in `withoutKey`.
      await nextTurn();
      return { status: 'ok' };
    })
    .get('/readyz', async ({ set }) => {
      const [worker, redis] = await check();
      if (!worker || draining.aborted) set.status = 503;
      // Without Redis the gateway still serves, with limits in this process.
      return {
        status: readiness(worker, draining.aborted, redis),
        worker: worker ? 'ok' : 'unavailable',
        limits: redis ? 'shared' : 'in-process',
      };
    });
};

function readiness(worker: boolean, draining: boolean, redis: boolean) {
  if (draining) return 'draining';
  if (!worker) return 'unavailable';
  return redis ? 'ok' : 'degraded';
}
