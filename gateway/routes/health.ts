/** GET /healthz and /readyz: is the process alive, and can it serve? For operators, outside of the API. */
import { Elysia } from 'elysia';
import type { LimitsMode } from '../access/limits.ts';
import type { Services } from './admission.ts';

const HIDDEN = { detail: { hide: true } } as const;

export const health = ({ ledger, limits, draining }: Services & { draining: AbortSignal }) =>
  new Elysia()
    .get('/healthz', () => ({ status: 'ok' }), HIDDEN)
    .get(
      '/readyz',
      async ({ set }) => {
        const [worker, limitsMode] = await Promise.all([ledger.isServing(), limits.mode()]);
        if (!worker || draining.aborted) set.status = 503;
        // Without Redis the gateway serves on, with limits of its own.
        return {
          status: readiness(worker, draining.aborted, limitsMode),
          worker: worker ? 'ok' : 'unavailable',
          limits: limitsMode,
        };
      },
      HIDDEN,
    );

function readiness(worker: boolean, draining: boolean, limits: LimitsMode) {
  if (draining) return 'draining';
  if (!worker) return 'unavailable';
  return limits === 'shared' ? 'ok' : 'degraded';
}
