/** Load on gateways, and checks of a rate limit that two of them share. */
import { expect } from 'bun:test';
import { startGateway } from '../../local/servers/gateway.ts';
import { type ApiResponse, entry, send, TestAccount } from '../fixtures/client.ts';
import { bearer, statuses } from '../fixtures/endpoints.ts';
import { keepDoing } from '../fixtures/keep-doing.ts';
import { scrape } from '../fixtures/metrics.ts';
import { stopEmpty } from '../fixtures/no-leaks.ts';
import { system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';

/** Starts two gateways with the Redis of `env`, or with the one at `redisUrl`. */
export async function startGateways(env: Record<string, string>, redisUrl?: string) {
  const { workerAddress } = system;
  const start = () => startGateway({ workerAddress, env, redisUrl });
  const gateways = await Promise.all([start(), start()]);
  return {
    urls: gateways.map(({ url }) => url),
    /** How many requests the gateways have admitted without Redis. */
    async admittedAlone() {
      const metrics = await Promise.all(gateways.map(({ metricsAddress }) => scrape(metricsAddress)));
      const labels = { decision: 'admitted', kept: 'in-process' };
      return metrics.reduce((sum, each) => sum + each.sum('ledger_minute_decisions_total', labels), 0);
    },
    stop: () => stopEmpty(...gateways),
  };
}

export type Gateways = Awaited<ReturnType<typeof startGateways>>;

/** The key of a new account. */
export const newKey = async () => (await TestAccount.create()).key;

const ATTEMPTS_MAX = 10;

/**
 * Expects that exactly 120 of 160 requests with one key are admitted, alternating between the gateways. If a gateway admits some of
 * them alone, because Redis took longer than 80 ms as on a slow machine, the count is not exact and the check is repeated.
 */
export async function expectExactLimit(
  gateways: Gateways,
  key: () => Promise<string> = newKey,
  prepare = () => untilLimitsAre('shared', gateways),
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await prepare();
    const before = await gateways.admittedAlone();
    const burst = await sendBurst(gateways.urls, await key());
    if ((await gateways.admittedAlone()) > before && attempt < ATTEMPTS_MAX) continue;
    expect(burst).toEqual(EXACT_LIMIT);
    return;
  }
}

/** Sends 160 requests with `key`, 40 at a time, alternating between `urls`. */
export async function sendBurst(urls: readonly string[], key: string) {
  const responses: ApiResponse[] = [];
  const sendSome = async (_: unknown, n: number) => {
    for (let sent = 0; sent < 4; sent++) {
      responses.push(await send('/api/v1/me', { url: urls[n % urls.length] ?? '', headers: bearer(key) }));
    }
  };
  await Promise.all(Array.from({ length: 40 }, sendSome));
  const remaining = responses.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
  return { statuses: statuses(responses), remaining: remaining.sort((a, b) => b - a) };
}

/** The admitted requests have each X-RateLimit-Remaining from 119 to 0 once, the refused ones 0. */
export const EXACT_LIMIT = {
  statuses: { 200: 120, 429: 40 },
  remaining: [...Array.from({ length: 120 }, (_, n) => 119 - n), ...Array(40).fill(0)],
};

// A failover takes seconds, and longer on a slow machine.
const MODE_MS_MAX = 60_000;

const limitsOf = async (url: string) => (await send('/readyz', { url })).body.limits;

export async function untilLimitsAre(mode: string, { urls }: Gateways): Promise<void> {
  const modes = () => Promise.all(urls.map(limitsOf));
  const are = async () => (await modes()).every((each) => each === mode);
  await until(`the limits are ${mode}`, are, MODE_MS_MAX);
}

/** Clients, each with an account of its own, that read and write through all gateways until `stop`. */
export function beginLoad({ urls }: Pick<Gateways, 'urls'>) {
  const responses: ApiResponse[] = [];
  const requestsTo = (url: string) => {
    const created = TestAccount.create();
    return async (n: number) => {
      const account = await created;
      const write = () => account.post(entry(), { url });
      responses.push(await (n % 10 === 0 ? write() : account.request('/api/v1/me', { url })));
      await Bun.sleep(5);
      return true;
    };
  };
  const { untilMore, stop } = keepDoing([...urls, ...urls, ...urls].map(requestsTo));
  return { more: () => untilMore(50), stop: () => stop().then(() => responses) };
}

/** Expects a 200 or 201 for every request. */
export function expectSuccess(responses: readonly ApiResponse[]): void {
  const failed = responses.filter(({ status }) => status !== 200 && status !== 201);
  expect(failed.map(({ status, body }) => [status, body])).toEqual([]);
}
