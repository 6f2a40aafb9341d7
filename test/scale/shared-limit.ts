/** Load on gateways, and checks of a rate limit that two of them share. */
import { expect } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../../local/servers/gateway.ts';
import { type ApiResponse, entry, send, TestAccount } from '../fixtures/client.ts';
import { bearer, statuses } from '../fixtures/endpoints.ts';
import { stopEmpty } from '../fixtures/nothing-held.ts';
import { system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';

/** Starts two gateways with the Redis of `env`, or with the one at `redisUrl`. */
export async function startGateways(env: Record<string, string>, redisUrl?: string) {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-scale-'));
  const logFiles = ['one', 'other'].map((name) => join(directory, `${name}.log`));
  const gateways = await Promise.all(
    logFiles.map((logFile) => startGateway({ workerAddress: system.workerAddress, env, redisUrl, logFile })),
  );
  return {
    urls: gateways.map(({ url }) => url),
    /** How often the gateways have logged that Redis is unavailable. */
    outages: () => logFiles.map(outagesIn).reduce((a, b) => a + b),
    async stop() {
      await stopEmpty(...gateways);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export type Gateways = Awaited<ReturnType<typeof startGateways>>;

const outagesIn = (logFile: string) => readFileSync(logFile, 'utf8').split('redis is unavailable').length - 1;

/** The key of a new account. */
export const newKey = async () => (await TestAccount.create()).key;

const ATTEMPTS_MAX = 5;

/**
 * Expects that exactly 120 of 200 parallel requests with one key are admitted, alternating between the gateways. If a
 * gateway logs meanwhile that Redis is unavailable, as on a loaded machine, the count is not exact and the check is repeated.
 */
export async function expectExactLimit(
  gateways: Gateways,
  key: () => Promise<string> = newKey,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await untilLimitsAre('shared', gateways);
    const before = gateways.outages();
    const burst = await sendBurst(gateways.urls, await key());
    // A log line may be written after the response.
    await Bun.sleep(100);
    if (gateways.outages() > before && attempt < ATTEMPTS_MAX) continue;
    expect(burst).toEqual(EXACT_LIMIT);
    return;
  }
}

/** Sends 200 requests with `key` at once, alternating between `urls`. */
export async function sendBurst(urls: readonly string[], key: string) {
  const requests = Array.from({ length: 200 }, (_, n) =>
    send('/api/v1/me', { url: urls[n % urls.length] ?? '', headers: bearer(key) }),
  );
  const responses = await Promise.all(requests);
  const remaining = responses.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
  return { statuses: statuses(responses), remaining: remaining.sort((a, b) => b - a) };
}

/** The admitted requests have each X-RateLimit-Remaining from 119 to 0 once, the refused ones 0. */
export const EXACT_LIMIT = {
  statuses: { 200: 120, 429: 80 },
  remaining: [...Array.from({ length: 120 }, (_, n) => 119 - n), ...Array(80).fill(0)],
};

const limitsOf = async (url: string) => (await send('/readyz', { url })).body.limits;

export async function untilLimitsAre(mode: string, { urls }: Gateways): Promise<void> {
  const modes = () => Promise.all(urls.map(limitsOf));
  await until(`the limits are ${mode}`, async () => (await modes()).every((each) => each === mode));
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
    count: () => responses.length,
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
