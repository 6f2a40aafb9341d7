/** Load on gateways, and checks of a rate limit that two of them share. */
import { expect } from 'bun:test';
import { startGateway } from '../../local/servers/gateway.ts';
import { type ApiResponse, entry, send, TestAccount } from '../fixtures/client.ts';
import { bearer, statuses } from '../fixtures/endpoints.ts';
import { scrape } from '../fixtures/metrics.ts';
import { stopEmpty } from '../fixtures/nothing-held.ts';
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

// Below the limit of 120, so that no request is refused.
const REQUESTS_PER_KEY = 100;
const PAUSE_MS = 5;

/** Clients of many accounts that read and write through all gateways until `stop`. */
export function beginLoad({ urls }: Pick<Gateways, 'urls'>) {
  const responses: ApiResponse[] = [];
  let isStopped = false;
  const work = async (url: string) => {
    while (!isStopped) {
      const account = await TestAccount.create();
      for (let n = 0; n < REQUESTS_PER_KEY && !isStopped; n++) {
        const response =
          n % 10 === 0
            ? await account.post(entry(), { url })
            : await send('/api/v1/me', { url, headers: bearer(account.key) });
        responses.push(response);
        await Bun.sleep(PAUSE_MS);
      }
    }
  };
  const clients = Promise.all([...urls, ...urls, ...urls].map(work));
  return {
    /** Resolves after 50 more responses. */
    more() {
      const before = responses.length;
      return until('more load', () => responses.length > before + 50);
    },
    async stop(): Promise<ApiResponse[]> {
      isStopped = true;
      await clients;
      return responses;
    },
  };
}

/** Expects a 200 or 201 for every request. */
export function expectSuccess(responses: readonly ApiResponse[]): void {
  const failed = responses.filter(({ status }) => status !== 200 && status !== 201);
  expect(failed.map(({ status, body }) => [status, body])).toEqual([]);
}
