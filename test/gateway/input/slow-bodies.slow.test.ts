/** Bodies that arrive slowly: limits on their memory and their time. */
import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { rowsOf } from '../../fixtures/books.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { expectError, RETRY_AFTER } from '../../fixtures/expect-error.ts';
import { backendsWaiting, locks } from '../../fixtures/locks.ts';
import { scrape } from '../../fixtures/metrics.ts';
import { startOwnGateway } from '../../fixtures/own-services.ts';
import { until } from '../../fixtures/until.ts';
import { beginPost, type Connection } from '../../fixtures/wire.ts';

setDefaultTimeout(60_000);

const KIB = 1024;
const MIB = 1024 * KIB;
const MEMORY = 20 * MIB;
const ACCOUNT_MEMORY = 5 * MIB;
const IN_FLIGHT_MAX = 160;

// Before the gateway is stopped, which must hold nothing then: a run of one test does not wait for these.
afterAll(() => Promise.all([late, silent]));

/** Its limits of time are shorter. What waits for them begins before the first test. */
const impatient = await startOwnGateway({
  env: { REQUEST_TIMEOUT_MS: '8000', BODY_TIMEOUT_MS: '25000' },
});
const late = sendLate(9_000);
const silent = staySilent();

const gateway = await startOwnGateway({
  env: { REQUESTS_IN_FLIGHT_MAX: String(IN_FLIGHT_MAX), BYTES_IN_FLIGHT_MAX: String(MEMORY) },
});

let slow: Connection[] = [];
afterEach(async () => {
  for (const { socket } of slow) socket.destroy();
  slow = [];
  await until('the gateway has released the bodies', async () => (await bodyBytes()) === 0);
});

const bodyBytes = async () => (await scrape(gateway.metricsAddress)).value('ledger_body_bytes_in_flight');
const pending = async () =>
  (await scrape(gateway.metricsAddress)).value('ledger_in_flight', { kind: 'requests_pending' });
const inFlight = async () => (await scrape(gateway.metricsAddress)).value('http_requests_in_flight');

/** White space: the beginning of a body that `end` completes. */
const FRAMINGS = {
  'of declared length': {
    header: 'content-length: 5242880',
    part: (size: number) => ' '.repeat(size),
  },
  'in chunks': {
    header: 'transfer-encoding: chunked',
    part: (size: number) => `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`,
  },
};

function begin(account: TestAccount, size: number, { header, part } = FRAMINGS['of declared length']) {
  const post = beginPost(gateway.url, account, header, part(size));
  slow.push(post);
  return post;
}

/** One valid entry in a body of `size` bytes. */
const post = (account: TestAccount, size = 0) => account.post(JSON.stringify(entry()).padEnd(size));

/** Known to the gateway: requests that wait for the lookup of a key have a limit of their own. */
async function accounts(count: number): Promise<TestAccount[]> {
  const created = await Promise.all(
    Array.from({ length: count }, () => TestAccount.create('pro', gateway.url)),
  );
  await Promise.all(created.map((account) => account.get('/api/v1/me')));
  return created;
}

test('a declared length takes no memory: bodies that declare much and send little do not block others', async () => {
  const [other, ...senders] = (await accounts(5)) as [TestAccount, ...TestAccount[]];
  for (const sender of senders) for (let n = 0; n < 4; n++) begin(sender, 1);
  await until('all of them are in flight', async () => (await inFlight()) >= 16);
  expect((await post(other)).status).toBe(201);
  expect((await post(other, 5 * MIB)).status).toBe(201);
  for (const sender of senders) expect((await post(sender, 4 * MIB)).status).toBe(201);
});

test.each(Object.entries(FRAMINGS))(
  'the bodies of one account, %s, take its share of the memory at most',
  async (_, framing) => {
    const [one, other] = (await accounts(2)) as [TestAccount, TestAccount];
    begin(one, ACCOUNT_MEMORY - 256 * KIB, framing);
    await until('it has arrived', async () => (await bodyBytes()) === ACCOUNT_MEMORY - 256 * KIB);
    const before = await rowsOf(one.accountId);
    const refused = await post(one, 512 * KIB);
    expectError(refused, 'server_error', { status: 503, headers: RETRY_AFTER });
    expect(refused.body.error.message).toContain('Nothing was done');
    expect(await rowsOf(one.accountId)).toEqual(before);
    expect((await post(one, 128 * KIB)).status).toBe(201);
    expect((await post(other, 512 * KIB)).status).toBe(201);
  },
);

test('a body holds its memory until the response is sent; then others up to 64 KiB are accepted', async () => {
  const [late, ...senders] = (await accounts(5)) as [TestAccount, ...TestAccount[]];
  for (const { accountId } of senders) await locks.account(accountId);
  const posted = senders.map((sender) => post(sender, ACCOUNT_MEMORY - KIB));
  await until(
    'the worker has the writes',
    async () => (await pending()) === 4 && (await backendsWaiting()).length > 0,
  );
  expect(await bodyBytes()).toBe(4 * (ACCOUNT_MEMORY - KIB));
  expectError(await post(late, 65 * KIB), 'server_error', { status: 503, headers: RETRY_AFTER });
  expect((await post(late, 64 * KIB)).status).toBe(201);
  await locks.release();
  for (const { status } of await Promise.all(posted)) expect(status).toBe(201);
  expect(await bodyBytes()).toBe(0);
});

/** Sends a write whose body takes so long. @returns the response */
async function sendLate(ms: number): Promise<string> {
  const account = await TestAccount.create();
  const body = JSON.stringify(entry());
  const framing = `content-length: ${body.length}\r\nconnection: close`;
  const { socket, closed } = beginPost(impatient.url, account, framing, body.slice(0, 5));
  await Bun.sleep(ms);
  socket.write(body.slice(5));
  return closed;
}

test('the time that a body takes to arrive does not count: the write has the whole REQUEST_TIMEOUT_MS after it', async () => {
  expect(await late).toStartWith('HTTP/1.1 201 ');
});

/** Begins bodies that do not come, at different times: Bun looks for idle connections every 4 s. @returns the responses */
async function staySilent(): Promise<string[]> {
  const responses: Promise<string>[] = [];
  for (let n = 0; n < 6; n++) {
    const account = await TestAccount.create();
    responses.push(beginPost(impatient.url, account, 'content-length: 100', '[').closed);
    await Bun.sleep(700);
  }
  return Promise.all(responses);
}

test('a body that stays silent gets its 408, whenever it begins', async () => {
  expect((await silent).map((text) => text.slice(0, 12))).toEqual(Array(6).fill('HTTP/1.1 408'));
});
