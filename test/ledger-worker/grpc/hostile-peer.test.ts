/** What a worker does for a peer that sends or keeps more than any gateway: it refuses at once, and holds a bounded amount. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import { status } from '@grpc/grpc-js';
import { startWorker } from '../../../local/servers/worker.ts';
import { hashApiKey } from '../../../proto/api-key.ts';
import { type LedgerRequest, LedgerService } from '../../../proto/contract.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { newEntry, openLedger } from '../../fixtures/ledger.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { stopEmpty } from '../../fixtures/nothing-held.ts';
import { sendRequests } from '../../fixtures/send-requests.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';

setDefaultTimeout(60_000);

const REQUESTS_MAX = 64;
const UNREAD_BYTES_MAX = 64 * 1024 * 1024;

const worker = await startWorker({ databaseUrl: system.databaseUrl });
const ledger = openLedger(worker.address);
afterAll(async () => {
  ledger.close();
  await stopEmpty(worker);
});

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
  'a message of more than 64 requests and cancellations ends its call: %s',
  async (_, requests, cancelled) => {
    const sent = (dropped: 0 | 1) =>
      failureOf(
        sendRequests(ledger, [], {
          onCall: (call) =>
            call.end({
              requests: Array(Math.max(0, requests - dropped)).fill(unknownKey),
              cancelled: requests === 0 ? cancelled.slice(dropped) : cancelled,
            }),
        }),
      );
    expect(await sent(0)).toEqual(REFUSED);
    expect(await sent(1)).toBeUndefined();
  },
);

test('a refused message leaves the other calls of its connection alone, and none of its requests is executed', async () => {
  const finished = async () =>
    (await scrape(worker.metricsAddress)).sum('grpc_server_handling_seconds_count', {
      grpc_method: 'listSources',
    });
  const before = await finished();
  const other = sendRequests(ledger, [unknownKey], {
    async onCall(call) {
      const listSources = { caller: { keyHash: Buffer.alloc(32), accountId: Bun.randomUUIDv7() } };
      expect(await failureOf(sendRequests(ledger, Array(TOO_MANY).fill({ listSources })))).toEqual(REFUSED);
      call.end({ requests: [unknownKey] });
    },
  });
  expect((await other).map(({ authenticate }) => authenticate?.rejected)).toEqual(
    Array(2).fill('REJECTION_INVALID_KEY'),
  );
  expect(await finished()).toBe(before);
});

test('a message has at most 64 responses', async () => {
  const sizes: number[] = [];
  await sendRequests(ledger, [], {
    onResponses: (responses) => sizes.push(responses.length),
    onCall(call) {
      // Unknown methods get their responses at once.
      for (let n = 0; n < 20; n++) call.write({ requests: Array(REQUESTS_MAX).fill({}) });
      call.end();
    },
  });
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20 * REQUESTS_MAX);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(REQUESTS_MAX);
});

/** A call over HTTP/2 itself that reads no response: grpc-js would read some, and hold what the worker does not take. */
function unreadCall(path: string) {
  const session = connect(`http://${worker.address}`);
  const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
  const call = session.request(headers);
  const received: Buffer[] = [];
  call.on('data', (bytes: Buffer) => received.push(bytes));
  call.on('error', () => {});
  call.on('close', () => session.close());
  call.pause();
  return {
    call,
    send(message: Buffer) {
      const prefix = Buffer.alloc(5);
      prefix.writeUInt32BE(message.length, 1);
      call.write(Buffer.concat([prefix, message]));
    },
    /** Reads to the end. @returns the messages */
    async read(): Promise<Buffer[]> {
      call.end();
      call.resume();
      await once(call, 'end');
      const bytes = Buffer.concat(received);
      const messages: Buffer[] = [];
      for (let at = 0; at < bytes.length; ) {
        const end = at + 5 + bytes.readUInt32BE(at + 1);
        messages.push(bytes.subarray(at + 5, end));
        at = end;
      }
      return messages;
    },
  };
}

const { path: EXECUTE, requestSerialize } = LedgerService.Execute;

const unread = async () =>
  (await scrape(worker.metricsAddress)).value('ledger_held', { kind: 'unread_response_bytes' });

test('small responses that are not read are bounded, too', async () => {
  const { call, send } = unreadCall(EXECUTE);
  const message = requestSerialize({ requests: Array(REQUESTS_MAX).fill({}) });
  // With their objects these are 160 MiB.
  for (let n = 0; n < 10_000; n++) send(message);
  await until('the call has ended', () => call.closed);
  expect(call.rstCode).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  await until('the memory is free', async () => (await unread()) === 0);
});

test('unread responses of all calls are bounded: the call that holds most is ended, and others are served', async () => {
  const account = await TestAccount.create();
  const caller = { keyHash: hashApiKey(account.key), accountId: account.accountId };
  const sourceId = account.sources['uk-property'];
  // Six bytes of JSON for each character.
  const text = (n: number, length: number) => String(n).padStart(length, '\u0001');
  const entries = Array.from({ length: 200 }, (_, n) => ({
    ...newEntry(),
    description: text(n, 500),
    externalRef: text(n, 180),
  }));
  await ledger.createEntries({ caller, sourceId, entries });
  const pages = (count: number) => {
    const page = { listEntries: { caller, sourceId, limit: 200 }, timeoutMs: 30_000 };
    return requestSerialize({ requests: Array(count).fill(page) });
  };

  const [smaller, larger] = [unreadCall(EXECUTE), unreadCall(EXECUTE)];
  smaller.send(pages(20));
  await until('the first is held', async () => (await unread()) > UNREAD_BYTES_MAX / 8);
  const held: number[] = [];
  larger.send(pages(REQUESTS_MAX));
  await until('one has ended', async () => {
    held.push(await unread());
    return larger.call.closed || smaller.call.closed;
  });
  expect([larger.call.rstCode, smaller.call.closed]).toEqual([constants.NGHTTP2_ENHANCE_YOUR_CALM, false]);
  expect(Math.max(...held)).toBeLessThanOrEqual(UNREAD_BYTES_MAX);
  expect((await ledger.authenticate({ keyHash: caller.keyHash })).identity?.accountId).toBe(
    account.accountId,
  );
  expect(await smaller.read()).toHaveLength(20);
  await until('the memory is free', async () => (await unread()) === 0);
});
