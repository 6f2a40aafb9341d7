/**
 * Every kind of an attack by framing, once to the gateway and once to HAProxy in front of it, over a connection that stays open: the requests of
 * framing-shapes.ts, and more of what a proxy and the gateway could read differently. The classes are these of desync classifiers: compliant,
 * ambiguous, severe.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { TestAccount } from '../fixtures/client.ts';
import { HAPROXY_VERSION, startProxy } from '../fixtures/haproxy.ts';
import { system } from '../fixtures/system.ts';
import { openConnection } from '../fixtures/wire.ts';
import {
  AMBIGUOUS,
  FAIR,
  inChunks,
  MALFORMED,
  MALFORMED_CHUNKS,
  SOURCE,
  UNUSUAL,
  whole,
} from './framing-shapes.ts';
import { KEY, SMUGGLED, UNCONFIRMED } from './request.ts';

setDefaultTimeout(60_000);

const SMUGGLING = FAIR.replace(UNCONFIRMED, SMUGGLED);
const CHUNKED = 'Transfer-Encoding: chunked';
const LENGTH = `Content-Length: ${SMUGGLING.length}`;
/** A POST whose body may be read by its length or by its chunks, or by neither. */
const withHeaders = (...headers: string[]) => whole(SMUGGLING).replace(LENGTH, headers.join('\r\n'));
const chunked = (...headers: string[]) => inChunks(SMUGGLING).replace(CHUNKED, headers.join('\r\n'));

/** At most one reading of each is right. */
const SEVERE = [
  ...[
    `${LENGTH}\r\nContent-Length: 0`,
    `Content-Length: 0, ${SMUGGLING.length}`,
    `Content-Length : ${SMUGGLING.length}`,
  ].map((header) => withHeaders(header)),
  ...[
    'Content-Length:\x0b5',
    'Content-Length\0: 5',
    'Content-Length: 5\0',
    `Content-Length: ${SMUGGLING.length}\x0b`,
  ].map((header) => withHeaders(header)),
  ...[
    'Transfer-Encoding\t: chunked',
    'Transfer-Encoding\0: chunked',
    'Transfer-Encoding: chunked\0',
    ' Transfer-Encoding: chunked',
  ].map((header) => chunked(header)),
  ...[
    '"chunked"',
    "'chunked'",
    'chunk',
    'chunked;q=1',
    'identity, chunked, identity',
    'chunked chunked',
    '\x00chunked',
    'identity',
  ].map((coding) => chunked(`Transfer-Encoding: ${coding}`)),
  ...['Content-Length: 0', LENGTH, 'Content-Length: 6'].flatMap((header) => [
    chunked(CHUNKED, header),
    chunked(header, CHUNKED),
  ]),
  chunked('Transfer-Encoding:\r\n chunked'),
  chunked(`X: y\r${CHUNKED}`),
  chunked(`X: y\n${CHUNKED}`),
  inChunks(SMUGGLING).replace('HTTP/1.1', 'HTTP/1.0'),
];

/** The same for every reader. */
const COMPLIANT = [
  whole(FAIR),
  inChunks(FAIR),
  inChunks(FAIR).replace('chunked', 'CHUNKED'),
  inChunks(FAIR).replace(': chunked', ':\t chunked \t'),
  inChunks(FAIR).replace('\r\n{', ';name="value"\r\n{'),
];

const account = await TestAccount.create();
const stored = async () => {
  const path = `${account.transactions}?limit=200`;
  const { transactions } = (await account.get(path)).body;
  return transactions.map(({ description }: { description: string }) => description);
};

const NEXT = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
// The gateway responds at once, or it waits for the rest of a body.
const WAIT_MS = 500;

/** Sends an attack and, if the connection is open after the response, the next request. @returns the statuses that came back */
async function replay(text: string, url = system.url): Promise<number[]> {
  const request = text
    .replaceAll(SOURCE, account.sources['uk-property'])
    .replaceAll(KEY, await account.takeKey());
  const { socket, closed, received } = openConnection(url);
  socket.write(Buffer.from(request, 'latin1'));
  const statuses = () => [...received().matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  const end = Date.now() + WAIT_MS;
  while (statuses().length === 0 && !socket.destroyed && Date.now() < end) await Bun.sleep(5);
  socket.write(NEXT);
  await Promise.race([closed, Bun.sleep(WAIT_MS)]);
  socket.destroy();
  return statuses();
}

const named = (texts: readonly string[]) => texts.map((text, n) => [n, text] as const);

test.each(named(COMPLIANT))(
  'compliant %i is stored once, and the next request on its connection has its response',
  async (_, text) => {
    const before = (await stored()).length;
    const statuses = await replay(text);
    expect(statuses).toEqual([201, 200]);
    expect((await stored()).length).toBe(before + 1);
  },
);

test.each(named([...SEVERE, ...AMBIGUOUS, ...MALFORMED, ...MALFORMED_CHUNKS]))(
  'severe or ambiguous %i stores nothing, and ends',
  async (_, text) => {
    const before = await stored();
    const statuses = await replay(text);
    expect(statuses.filter((status) => status === 201 || [500, 502, 503, 504].includes(status))).toEqual([]);
    // Nothing that the attack hides is a request.
    expect(statuses.length).toBeLessThanOrEqual(2);
    expect(await stored()).toEqual(before);
  },
);

test.each(named(UNUSUAL))('unusual %i is stored whole or not at all', async (_, text) => {
  const before = await stored();
  const statuses = await replay(text);
  const after = await stored();
  expect(after.length - before.length).toBe(statuses.filter((status) => status === 201).length);
});

describe.skipIf(HAPROXY_VERSION === 0)('through HAProxy', async () => {
  const url = HAPROXY_VERSION > 0 ? await startProxy('servers.cfg') : '';

  test.each(named(COMPLIANT))('compliant %i is stored once', async (_, text) => {
    const before = (await stored()).length;
    expect(await replay(text, url)).toEqual([201, 200]);
    expect((await stored()).length).toBe(before + 1);
  });

  // It may read one of them in one way, and pass on that.
  test.each(named([...SEVERE, ...AMBIGUOUS, ...MALFORMED, ...MALFORMED_CHUNKS, ...UNUSUAL]))(
    'severe, ambiguous or unusual %i is stored only with a 201',
    async (_, text) => {
      const before = await stored();
      const statuses = await replay(text.replaceAll(SMUGGLED, UNCONFIRMED), url);
      const added = (await stored()).length - before.length;
      expect(added).toBe(statuses.filter((status) => status === 201).length);
      expect(added).toBeLessThanOrEqual(1);
    },
  );
});

afterAll(async () => expect((await stored()).filter((text: string) => text !== UNCONFIRMED)).toEqual([]));
