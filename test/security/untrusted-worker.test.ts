/** API10: the gateway does not trust the worker's responses: an invalid one becomes a server_error that repeats nothing of it. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { type ServiceError, status } from '@grpc/grpc-js';
import type { ExecuteRequest__Output, LedgerResponse } from '../../proto/contract.ts';
import { entry, send, TestAccount } from '../fixtures/client.ts';
import { ENDPOINTS } from '../fixtures/endpoints.ts';
import { expectError } from '../fixtures/expect-error.ts';
import { type ExecuteStream, startFakeWorker } from '../fixtures/fake-worker.ts';
import { startOwnGateway } from '../fixtures/own-services.ts';

setDefaultTimeout(60_000);

const INTERNALS = 'SELECT secret FROM /srv/worker.ts:12 at stack';
const identity = { identity: { accountId: Bun.randomUUIDv7(), plan: 'pro' } };

/** The fake worker's present responses: to Authenticate, and to every other request. */
let authenticate: object | Error;
let others: object | Error;

const failing = (code: status) => Object.assign(new Error(INTERNALS), { code, details: INTERNALS });

/** Responds to the first requests of a stream, and ends it. */
function respond(stream: ExecuteStream): void {
  stream.once('data', ({ requests }: ExecuteRequest__Output) => {
    if (wholeStream) {
      wholeStream(stream);
      return;
    }
    const responses = requests.map(({ method: name = 'authenticate' }, index): LedgerResponse => {
      const reply = name === 'authenticate' ? authenticate : others;
      if (!(reply instanceof Error)) return { index, [name]: reply };
      return { index, failure: { code: (reply as ServiceError).code, details: reply.message } };
    });
    stream.write({ responses });
    stream.end();
  });
}

/** Handles the whole stream instead. */
let wholeStream: ((stream: ExecuteStream) => void) | undefined;

const account = await TestAccount.create();
const fakeWorker = await startFakeWorker(respond);
const gateway = await startOwnGateway({
  workerAddress: fakeWorker.address,
  redisUrl: undefined,
  env: { REQUEST_TIMEOUT_MS: '1000' },
});
afterAll(() => fakeWorker.stop());

const NONSENSE: [what: string, authenticate: object | Error, others: object | Error][] = [
  ['no outcome', {}, {}],
  ['no outcome once the key is known', identity, {}],
  [
    'the outcome of another request',
    identity,
    { invalidCategories: { sourceType: INTERNALS, indexes: [7] } },
  ],
  ['a status that is not for clients', failing(status.INTERNAL), failing(status.INTERNAL)],
  ['a refusal with its details', identity, failing(status.INVALID_ARGUMENT)],
  ['a status of permission', failing(status.UNAUTHENTICATED), failing(status.PERMISSION_DENIED)],
  ['a transient status', failing(status.UNAVAILABLE), failing(status.UNAVAILABLE)],
];

test.each(NONSENSE)(
  '%s: every endpoint is a server_error without internals, and the gateway keeps serving',
  async (...now) => {
    [, authenticate, others] = now;
    // Those of the account and of categories need only the identity.
    const endpoints = ENDPOINTS.filter(
      ({ name }) => !/^HEAD/.test(name) && !(authenticate === identity && /me|categories/.test(name)),
    );
    expect(endpoints.length).toBeGreaterThan(2);
    const responses = endpoints.map(({ request }) => request(account, account.key, { url: gateway.url }));
    for (const response of await Promise.all(responses)) {
      expect([500, 503]).toContain(response.status);
      const headers = response.status === 503 ? { 'retry-after': /^1$/ } : {};
      expectError(response, 'server_error', { status: response.status, headers });
      expect(JSON.stringify([response.body, ...response.headers])).not.toContain('secret');
    }
    expect((await send('/readyz', { url: gateway.url })).status).toBe(200);
  },
);

test('an unknown reason for a refusal is no access', async () => {
  authenticate = others = { refused: 99 };
  for (const { name, request } of ENDPOINTS) {
    const { status } = await request(account, account.key, { url: gateway.url });
    expect([name, status]).toEqual([name, 401]);
  }
});

test('indexes and times that cannot be do not get through as they are', async () => {
  authenticate = identity;
  const post = (reply: object) => {
    others = reply;
    return account.post(entry({ category: 'x' }), { url: gateway.url });
  };
  const cap = await post({ dailyCapReached: { fitsNow: 0, retryAfterMs: -5_000 } });
  expect([cap.status, cap.headers.get('retry-after')]).toEqual([429, '1']);
  const category = await post({ invalidCategories: { sourceType: 'uk-property', indexes: [99] } });
  expect(category.status).toBe(422);
  expect(JSON.stringify(category.body)).not.toContain('undefined undefined');
});

/** The status of a GET whose whole stream is handled so. */
async function statusWith(handle: (stream: ExecuteStream) => void): Promise<number> {
  [wholeStream, authenticate, others] = [handle, identity, {}];
  try {
    const response = await account.request('/api/v1/me', { url: gateway.url });
    expect(JSON.stringify([response.body, ...response.headers])).not.toContain('secret');
    return response.status;
  } finally {
    wholeStream = undefined;
  }
}

/** Writes these messages, each with its responses, and ends the stream. */
const messages =
  (...all: LedgerResponse[][]) =>
  (stream: ExecuteStream) => {
    for (const responses of all) stream.write({ responses });
    stream.end();
  };

const NOT_SENT = [7, 2 ** 32 - 1].map((index) => ({ index, authenticate: identity }));

test.each<[what: string, handle: (stream: ExecuteStream) => void]>([
  ['nothing', messages()],
  ['responses to requests that were not sent', messages(NOT_SENT)],
  ['the response to another request', messages([{ index: 0, listSources: { sources: { sources: [] } } }])],
  ['a response without an outcome', messages([{ index: 0 }])],
  ['a failure of the whole stream', (stream) => void stream.destroy(failing(status.INTERNAL))],
])('a stream that gets %s is a server_error', async (_, handle) => {
  expect([500, 503]).toContain(await statusWith(handle));
});

test('a message of more than 64 responses is not decoded, whatever is in it', async () => {
  const withOthers = (count: number) =>
    messages([{ index: 0, authenticate: identity }, ...Array(count).fill({ index: 7 })]);
  expect(await statusWith(withOthers(63))).toBe(200);
  expect(await statusWith(withOthers(64))).toBe(500);
});
