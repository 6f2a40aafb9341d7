/** A run against the real service is linearizable. Against a service that breaks a rule it is not. */
import { expect, test } from 'bun:test';
import { lineOf } from '../../../clients/conformance/history.ts';
import { historyOf } from '../../../clients/conformance/history-run.ts';
import { TestAccount } from '../../fixtures/client.ts';
import { admin, system } from '../../fixtures/system.ts';

const KEYS = 4;

async function run(baseUrl: string, seed: number) {
  const account = await TestAccount.create();
  const { accountId, sources } = account;
  const keys = [account.key];
  while (keys.length < KEYS) keys.push((await admin.createKey({ accountId })).key);
  const sourceIds = [sources['uk-property'], sources['self-employment']];
  let sent = 0;
  return historyOf({
    async sendRequest(path, { headers, ...init }) {
      // Each key is used for less than its 120 requests a minute.
      const key = keys[sent++ % KEYS];
      const authorization = `Bearer ${key}`;
      const response = await fetch(baseUrl + path, { ...init, headers: { ...headers, authorization } });
      return { status: response.status, body: await response.json() };
    },
    prefix: `linear-${seed}`,
    ...{ sourceIds, seed, clients: 8, writes: 150, reads: 150 },
  });
}

type Forward = () => Promise<{ status: number; body: string }>;

/** A proxy that passes every request on, except for what `change` makes of it. */
function brokenService(change: (request: Request, forward: Forward) => ReturnType<Forward>) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const sent = request.method === 'POST' ? await request.text() : undefined;
      const forward = async () => {
        const { method, headers } = request;
        const response = await fetch(`${system.url}${pathname}${search}`, {
          method,
          headers,
          ...(sent && { body: sent }),
        });
        return { status: response.status, body: await response.text() };
      };
      const { status, body } = await change(request, forward);
      return new Response(body, { status, headers: { 'content-type': 'application/json' } });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) };
}

const isPage = ({ method, url }: Request) => method === 'GET' && url.includes('/transactions');

test('the real service is linearizable, with repeated, overlapping and abandoned writes', async () => {
  const { history, verdict } = await run(system.url, 1);
  expect(verdict).toMatchObject({ verdict: 'linearizable' });
  const { requests } = history;
  expect(requests.length).toBeGreaterThanOrEqual(300);
  const overlapping = requests.filter((each) =>
    requests.some(({ begun, ended }) => begun < each.begun && ended > each.begun),
  );
  expect(overlapping.length).toBeGreaterThan(200);
  const atEnd = requests.filter((each) => each.kind === 'page' && each.name.endsWith('at the end'));
  const listed = atEnd.flatMap((each) => (each.kind === 'page' && each.response?.transactions) || []);
  const last = requests.at(-1);
  const counts = last?.kind === 'sources' ? last.response?.sources : undefined;
  const counted = counts?.reduce((sum, { transactionCount }) => sum + transactionCount, 0) ?? 0;
  const writes = requests.filter((each) => each.kind === 'write');
  // The counts are read after the pages: an abandoned write may be stored in between.
  const abandoned = writes.filter(({ response }) => !response).flatMap(({ entries }) => entries);
  expect(counted - listed.length).toBeWithin(0, abandoned.length + 1);
  expect(listed.length).toBeGreaterThan(200);
  expect(writes.filter(({ response }) => response?.deduplicated).length).toBeGreaterThan(10);
  expect(writes.filter(({ response }) => !response).length).toBeGreaterThan(0);
  expect(requests.filter(({ refused }) => refused).map(lineOf)).toEqual([]);
});

test('a cache of pages that is not cleared by a write is found', async () => {
  const cache = new Map<string, Awaited<ReturnType<Forward>>>();
  await using broken = brokenService(async (request, forward) => {
    const cached = isPage(request) ? cache.get(request.url) : undefined;
    if (cached) return cached;
    const response = await forward();
    if (isPage(request)) cache.set(request.url, response);
    return response;
  });
  const { verdict } = await run(broken.url, 2);
  expect(verdict).toMatchObject({ verdict: 'not linearizable', text: expect.stringContaining(' lacks ') });
});

test('an entry that is created and then lost is found', async () => {
  let [created, lost] = [0, ''];
  await using broken = brokenService(async (request, forward) => {
    const { status, body } = await forward();
    const json = JSON.parse(body);
    if (status === 201 && ++created === 20) lost = json.transactions[0].id;
    if (!isPage(request)) return { status, body };
    const transactions = json.transactions.filter(({ id }: { id: string }) => id !== lost);
    return { status, body: JSON.stringify({ ...json, transactions }) };
  });
  const { verdict } = await run(broken.url, 3);
  expect(verdict).toMatchObject({ verdict: 'not linearizable', text: expect.stringContaining(' lacks ') });
});

test('a batch that is stored twice is found', async () => {
  let doubled = false;
  await using broken = brokenService(async (request, forward) => {
    const response = await forward();
    if (doubled || response.status !== 201 || !response.body.includes('"externalRef":null')) return response;
    if (request.headers.has('idempotency-key')) return response;
    doubled = true;
    await forward();
    return response;
  });
  const { verdict } = await run(broken.url, 4);
  expect(verdict).toMatchObject({
    verdict: 'not linearizable',
    text: expect.stringContaining('No request can have created'),
  });
});
