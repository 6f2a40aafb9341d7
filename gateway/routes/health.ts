/** GET /healthz (liveness) and /readyz (readiness), for operators; not part of the API. */
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
        // Without Redis the gateway still serves, with limits in this process.
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
