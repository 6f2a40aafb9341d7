/** What two gateways have to hold whose limits are shared, and while they are not. */
import { expect } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../../local/servers/gateway.ts';
import { type ApiResponse, entry, send, type TestAccount } from '../fixtures/client.ts';
import { bearer, statuses } from '../fixtures/endpoints.ts';
import { admin, system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';

/** Two gateways that share what `env` says. */
export async function startGateways(env: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-scale-'));
  const logFiles = ['one', 'other'].map((name) => join(directory, `${name}.log`));
  const gateways = await Promise.all(
    logFiles.map((logFile) => startGateway({ workerAddress: system.workerAddress, env, logFile })),
  );
  return {
    urls: gateways.map(({ url }) => url),
    /** How often either has said that Redis is away. */
    absences: () => logFiles.map(absencesIn).reduce((a, b) => a + b),
    async stop() {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export type Gateways = Awaited<ReturnType<typeof startGateways>>;

const absencesIn = (logFile: string) => readFileSync(logFile, 'utf8').split('redis is away').length - 1;

const ATTEMPTS_MAX = 5;

/**
 * Of 200 requests with one of `keys` at once, by turns to each gateway, 120 are admitted, and not one more. On a machine
 * so busy that a gateway gave Redis up meanwhile, and said so in its log, another count shows nothing: it is tried again.
 */
export async function expectOneMinute(gateways: Gateways, key: () => Promise<string>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await untilLimitsAre('shared', gateways);
    const before = gateways.absences();
    const minute = await countedMinute(gateways.urls, await key());
    // What a gateway says may arrive after its answer.
    await Bun.sleep(100);
    if (gateways.absences() > before && attempt < ATTEMPTS_MAX) continue;
    expect(minute).toEqual(ONE_MINUTE);
    return;
  }
}

/** What is told of 200 requests with `key` at once, by turns to each of `urls`. */
export async function countedMinute(urls: readonly string[], key: string) {
  const requests = Array.from({ length: 200 }, (_, n) =>
    send('/api/v1/me', { url: urls[n % urls.length] ?? '', headers: bearer(key) }),
  );
  const answers = await Promise.all(requests);
  const remaining = answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
  return { statuses: statuses(answers), remaining: remaining.sort((a, b) => b - a) };
}

/** Each number from 119 to 0 is told once, beside the zeros of those that are refused. */
export const ONE_MINUTE = {
  statuses: { 200: 120, 429: 80 },
  remaining: [...Array.from({ length: 120 }, (_, n) => 119 - n), ...Array(80).fill(0)],
};

const limitsOf = async (url: string) => (await send('/readyz', { url })).body.limits;

export async function untilLimitsAre(mode: string, { urls }: Gateways): Promise<void> {
  const modes = () => Promise.all(urls.map(limitsOf));
  await until(`the limits are ${mode}`, async () => (await modes()).every((each) => each === mode));
}

export async function newKey({ accountId }: TestAccount): Promise<string> {
  return (await admin.createKey({ accountId })).key;
}

// Of 120 for a key and minute, so that none is refused whoever counts.
const REQUESTS_PER_KEY = 100;
const PAUSE_MS = 5;

/** Clients of `account`, who read and write by turns, through each gateway, until they are stopped. */
export function beginLoad({ urls }: Gateways, account: TestAccount) {
  const answers: ApiResponse[] = [];
  let isStopped = false;
  const work = async (url: string) => {
    while (!isStopped) {
      const headers = bearer(await newKey(account));
      for (let n = 0; n < REQUESTS_PER_KEY && !isStopped; n++) {
        const answer =
          n % 10 === 0
            ? await account.post(entry(), { url, headers })
            : await send('/api/v1/me', { url, headers });
        answers.push(answer);
        await Bun.sleep(PAUSE_MS);
      }
    }
  };
  const clients = Promise.all([...urls, ...urls, ...urls].map(work));
  return {
    answered: () => answers.length,
    async stop(): Promise<ApiResponse[]> {
      isStopped = true;
      await clients;
      return answers;
    },
  };
}

/** Every request was served: no 5xx, and nothing else that is not a success. */
export function expectAllServed(answers: readonly ApiResponse[]): void {
  const failed = answers.filter(({ status }) => status !== 200 && status !== 201);
  expect(failed.map(({ status, body }) => [status, body])).toEqual([]);
}
