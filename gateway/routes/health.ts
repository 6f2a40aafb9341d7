/** GET /healthz and /readyz: is the process alive, and can it serve? For operators, outside of the API. */
import { Elysia } from 'elysia';
import type { Services } from './admission.ts';

const HIDDEN = { detail: { hide: true } } as const;

export const health = ({ ledger, limits }: Services) =>
  new Elysia()
    .get('/healthz', () => ({ status: 'ok' }), HIDDEN)
    .get(
      '/readyz',
      async ({ set }) => {
        const [worker, limitsMode] = await Promise.all([ledger.isServing(), limits.mode()]);
        if (!worker) set.status = 503;
        // Without Redis the gateway serves on, with limits of its own.
        return {
          status: worker ? (limitsMode === 'shared' ? 'ok' : 'degraded') : 'unavailable',
          worker: worker ? 'ok' : 'unavailable',
          limits: limitsMode,
        };
      },
      HIDDEN,
    );
