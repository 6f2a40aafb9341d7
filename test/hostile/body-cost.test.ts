/** The CPU time of the gateway for a costly body, relative to a valid body of the same size. */
import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { type ApiResponse, TestAccount } from '../fixtures/client.ts';
import { scrape } from '../fixtures/metrics.ts';
import { startOwnGateway } from '../fixtures/own-services.ts';
import { COSTLY_BODIES, validBody } from './costly-bodies.ts';

setDefaultTimeout(120_000);

const SIZE = 5 * 1024 * 1024;
// The costliest rejected body has been measured at 1.5.
const RATIO_MAX = 3;
// A repetition distinguishes the cost of a body from that of a garbage collection.
const ATTEMPTS_MAX = 4;

const gateway = await startOwnGateway();
const account = await TestAccount.create();
let reference: number;

beforeAll(async () => {
  const body = validBody(SIZE);
  const costs: number[] = [];
  for (let n = 0; n < 4; n++) {
    const { response, seconds } = await post(body);
    expect(response.status).toBe(201);
    costs.push(seconds);
  }
  reference = Math.min(...costs);
});

/** Returns the response and the CPU seconds that the gateway has spent on it. */
async function post(body: Buffer): Promise<{ response: ApiResponse; seconds: number }> {
  const cpu = async () => (await scrape(gateway.metricsAddress)).value('process_cpu_seconds_total');
  const before = await cpu();
  const response = await account.post(body, { url: gateway.url });
  return { response, seconds: (await cpu()) - before };
}

test.each(Object.entries(COSTLY_BODIES))(
  'a body costs no more than a valid one of its size: %s',
  async (_, body) => {
    const bytes = body(SIZE);
    expect(bytes.length).toBe(SIZE);
    let ratio = Number.POSITIVE_INFINITY;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && ratio > RATIO_MAX; attempt++) {
      const { response, seconds } = await post(bytes);
      expect(response.body.error.code).toBeOneOf(['invalid_json', 'invalid_transaction', 'too_many']);
      ratio = Math.min(ratio, seconds / reference);
    }
    expect(ratio).toBeLessThanOrEqual(RATIO_MAX);
  },
);
