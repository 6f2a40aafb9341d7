/** A worker refuses at once a message of more requests than any gateway sends. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import type { LedgerRequest } from '../../../proto/contract.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { startOwnWorker } from '../../fixtures/own-services.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';

setDefaultTimeout(60_000);

const REQUESTS_MAX = 64;

const { worker, ledger } = await startOwnWorker();

const unknownKey: LedgerRequest = { authenticate: { keyHash: Buffer.alloc(32) }, timeoutMs: 30_000 };
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ code, details }) => [code, details],
  );
const REFUSED = [status.INTERNAL, 'Error deserializing request'];
const TOO_MANY = REQUESTS_MAX + 1;

test.each<[what: string, requests: number, cancelled: number[]]>([
  ['requests', TOO_MANY, []],
  ['cancellations', 0, Array(TOO_MANY).fill(2 ** 32 - 1)],
  ['both', 32, Array(33).fill(0)],
])(
  'a message of more than 64 requests and cancellations ends its stream: %s',
  async (_, requests, cancelled) => {
    const sent = (dropped: 0 | 1) =>
      failureOf(
        sendRequests(ledger, [], {
          onStream: (stream) =>
            stream.end({
              requests: Array(Math.max(0, requests - dropped)).fill(unknownKey),
              cancelled: requests === 0 ? cancelled.slice(dropped) : cancelled,
            }),
        }),
      );
    expect(await sent(0)).toEqual(REFUSED);
    expect(await sent(1)).toBeUndefined();
  },
);

test('a refused message leaves the other streams of its connection alone, and none of its requests is executed', async () => {
  const finished = async () =>
    (await scrape(worker.metricsAddress)).sum('grpc_server_handling_seconds_count', {
      grpc_method: 'listSources',
    });
  const before = await finished();
  const other = sendRequests(ledger, [unknownKey], {
    async onStream(stream) {
      const listSources = { caller: { keyHash: Buffer.alloc(32), accountId: Bun.randomUUIDv7() } };
      expect(await failureOf(sendRequests(ledger, Array(TOO_MANY).fill({ listSources })))).toEqual(REFUSED);
      stream.end({ requests: [unknownKey] });
    },
  });
  expect((await other).map(({ authenticate }) => authenticate?.refused)).toEqual(
    Array(2).fill('REFUSAL_INVALID_KEY'),
  );
  expect(await finished()).toBe(before);
});

test('a message has at most 64 responses', async () => {
  const sizes: number[] = [];
  await sendRequests(ledger, [], {
    onResponses: (responses) => sizes.push(responses.length),
    onStream(stream) {
      // Unknown methods get their responses at once.
      for (let n = 0; n < 20; n++) stream.write({ requests: Array(REQUESTS_MAX).fill({}) });
      stream.end();
    },
  });
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20 * REQUESTS_MAX);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(REQUESTS_MAX);
});
