/** A write whose response is lost, and then another failure: both libraries report the outcome as unknown, and a repetition stores nothing twice. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { atOnce } from '../../fixtures/at-once.ts';
import { nameless } from '../../fixtures/books.ts';
import { newAuthority } from '../../fixtures/certificates.ts';
import { startTcpServer } from '../../fixtures/tcp-server.ts';
import { RATE_LIMITED } from '../proxy.ts';
import { CLIENTS } from '../python/clients.ts';
import { inPython } from '../python/interpreter.ts';
import type { Call, Report } from '../python/library-call.ts';
import { CASES, OTHER_SERVER, ofApi, REDIRECT, type Service, unreliable } from './cases.ts';

setDefaultTimeout(120_000);

/** One without a reference is enough for the key to be needed. */
const ENTRIES = nameless(3).map((each, n) => (n === 0 ? { ...each, externalRef: 'first' } : each));

const push = (
  client: string,
  { url, account }: Service,
  call: Partial<Call> = {},
  retryTimeoutMs = 10_000,
) => {
  const { key: apiKey, sources } = account;
  const settings = { url, apiKey, source: sources['uk-property'], retryTimeoutMs, wait: false };
  const { [client]: run } = CLIENTS;
  return run?.({ method: 'push', entries: ENTRIES, ...call } as Call, settings) as Promise<Report>;
};

/** The error has the key of the request: the same entries under it are stored once. */
async function expectUnknown(client: string, service: Service, { error, push: pushed }: Report) {
  expect([error?.code, pushed]).toEqual([
    ...['unknown_outcome', { outcomes: [], created: 0, deduplicated: 0, remaining: 3, unknown: 3 }],
  ]);
  const { idempotencyKey } = error ?? {};
  expect(new Set(service.keys())).toEqual(new Set([idempotencyKey as string]));
  expect(error?.message).toContain(`Idempotency-Key ${idempotencyKey}`);
  expect(await service.stored()).toBe(3);
  service.recover();
  const again = await push(client, service, { idempotencyKey: idempotencyKey as string });
  expect([again.error, again.push]).toMatchObject([undefined, { created: 3, remaining: 0, unknown: 0 }]);
  expect(await service.stored()).toBe(3);
}

describe.each(Object.keys(CLIENTS))('the %s library:', (client) => {
  test.concurrent.each(CASES)(
    '%s',
    atOnce(async (_, first, later) => {
      await using service = await unreliable([first, later]);
      await expectUnknown(client, service, await push(client, service));
    }),
  );

  test.concurrent(
    'the response is cut, then there is no connection until the timeout',
    atOnce(async () => {
      await using service = await unreliable(['drop response', 'drop request']);
      await expectUnknown(client, service, await push(client, service, {}, 500));
    }),
  );

  test.concurrent(
    'the response is cut, then comes the minute limit, and then a 401',
    atOnce(async () => {
      await using service = await unreliable(['drop response', RATE_LIMITED, OTHER_SERVER]);
      await expectUnknown(client, service, await push(client, service));
    }),
  );

  test.concurrent(
    'a repetition under the key of an earlier push that is refused is unknown too',
    atOnce(async () => {
      await using service = await unreliable(['drop response', OTHER_SERVER]);
      const { error } = await push(client, service);
      const again = await push(client, service, { idempotencyKey: error?.idempotencyKey as string });
      await expectUnknown(client, service, again);
    }),
  );

  test.concurrent(
    'entries of earlier requests keep their outcomes',
    atOnce(async () => {
      await using service = await unreliable(['pass', 'drop response', OTHER_SERVER]);
      const { error, push: pushed } = await push(client, service, { entries: nameless(1_200) });
      expect([error?.code, pushed]).toMatchObject([
        'unknown_outcome',
        { created: 500, remaining: 700, unknown: 500 },
      ]);
      expect(await service.stored()).toBe(1_000);
    }),
  );

  test.concurrent(
    'at the daily cap an unknown request is repeated whole under its key, and not divided',
    atOnce(async () => {
      const capped = ofApi(429, 'daily_cap', { remaining: 1, retryAfterSeconds: 1 });
      await using service = await unreliable(['drop response', capped, 'pass']);
      const { push: pushed } = await push(client, service, { wait: true });
      expect(pushed).toMatchObject({ created: 3, unknown: 0 });
      expect([service.keys().length, new Set(service.keys()).size]).toEqual([3, 1]);
      expect(await service.stored()).toBe(3);
    }),
  );

  test.concurrent(
    'a success of the service settles the outcome',
    atOnce(async () => {
      await using service = await unreliable(['drop response', REDIRECT, 'pass']);
      expect((await push(client, service)).push).toMatchObject({ created: 3, unknown: 0 });
      expect(await service.stored()).toBe(3);
    }),
  );

  test.concurrent.each([
    ['a refusal of the service', [OTHER_SERVER], 'invalid_key'],
    ['the minute limit and a refusal', [RATE_LIMITED, OTHER_SERVER], 'invalid_key'],
    ['a 408 and a refusal', [ofApi(408, 'request_timeout'), OTHER_SERVER], 'invalid_key'],
  ] as const)(
    'after %s nothing is stored, and the outcome is known',
    atOnce(async (_, actions, code) => {
      await using service = await unreliable(actions);
      const { error, push: pushed } = await push(client, service);
      expect([error?.code, pushed]).toMatchObject([code, { remaining: 3, unknown: 0 }]);
      expect(await service.stored()).toBe(0);
    }),
  );

  test.concurrent(
    'without a connection nothing is sent, and the outcome is known',
    atOnce(async () => {
      const silent = await startTcpServer((socket) => socket.destroy());
      silent.close();
      await using secure = await untrustedServer();
      for (const url of [`http://${silent.address}`, 'https://nowhere.invalid', secure.url]) {
        await using service = await unreliable(['pass']);
        const { error, push: pushed } = await push(client, { ...service, url }, {}, 0);
        expect([url, error?.code, pushed]).toMatchObject([url, 'unreachable', { remaining: 3, unknown: 0 }]);
      }
      expect(secure.requests()).toBe(0);
    }),
  );
});

/** A server whose certificate nobody trusts. */
async function untrustedServer() {
  let requests = 0;
  const authority = await newAuthority('unknown');
  const server = Bun.serve({
    port: 0,
    tls: await authority.issue('localhost'),
    fetch() {
      requests++;
      return new Response();
    },
  });
  return {
    url: `https://localhost:${server.port}`,
    requests: () => requests,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

describe('Python after a lost response:', () => {
  /** @param onPause the body of the function that is called before the second attempt @returns what the program prints */
  const printed = async (service: Service, onPause: string) => {
    const { account, url } = service;
    const program = `
import time
from bookkeeping_ledger import Ledger, PushError

def on_pause(pause):
    ${onPause}

now = time.time
ledger = Ledger(${JSON.stringify(url)}, ${JSON.stringify(account.key)}, on_pause=on_pause)
try:
    ledger.push(${JSON.stringify(account.sources['uk-property'])}, ${JSON.stringify(ENTRIES)})
except KeyboardInterrupt as interrupt:
    failure = interrupt.__cause__
except PushError as error:
    failure = error
finally:
    time.time = now
print(failure.code, failure.result.unknown, failure.idempotency_key, 'send only the missing ones' in failure.message)
`;
    return (await inPython<{ out: string }>({ program, url })).out;
  };

  test.each([
    ['the error is the cause of a KeyboardInterrupt', 'raise KeyboardInterrupt', 'False'],
    ['a callback that fails leaves the outcome unknown', 'raise ValueError', 'False'],
    ['no other attempt is sent once the key may be forgotten', 'time.time = lambda: now() + 86_400', 'True'],
  ])('%s', async (_, onPause, isTooLate) => {
    await using service = await unreliable(['drop response', 'pass']);
    expect(await printed(service, onPause)).toBe(`unknown_outcome 3 ${service.keys()[0]} ${isTooLate}\n`);
    expect(service.keys()).toHaveLength(1);
  });
});
