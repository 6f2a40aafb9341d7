/**
 * Requests that are sent before the response to the one before them (pipelining). HTTP/1.1 allows it; Bun closes the connection
 * (oven-sh/bun pull request 38128 would have it wait). What the description and docs/faults.md say of it holds.
 */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { rowsOf } from '../../fixtures/books.ts';
import { entry, TestAccount } from '../../fixtures/client.ts';
import { backendsWaiting, locks } from '../../fixtures/locks.ts';
import { system } from '../../fixtures/system.ts';
import { until } from '../../fixtures/until.ts';
import { openConnection } from '../../fixtures/wire.ts';

setDefaultTimeout(60_000);

let account: TestAccount;
beforeEach(async () => {
  account = await TestAccount.create();
});
afterEach(() => locks.release());

const PATH = () => account.transactions;

/** A whole POST of one entry, as bytes. */
function posted(fields: object, ...headers: string[]): string {
  const body = JSON.stringify(entry(fields));
  const head = [
    'Host: x',
    `Authorization: Bearer ${account.key}`,
    `Content-Length: ${body.length}`,
    ...headers,
  ];
  return `POST ${PATH()} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Two requests, of which the second is sent while the first has reached the database and waits there. */
async function sendBoth(first: string, second: string): Promise<string> {
  await locks.account(account.accountId);
  const { socket, closed } = openConnection(system.url);
  socket.write(first);
  await until('the first waits', async () => (await backendsWaiting()).length === 1);
  socket.write(second);
  const received = await closed;
  await locks.release();
  await until('the first is finished', async () => (await rowsOf(account.accountId)).length > 0);
  return received;
}

test('a pipelined request closes the connection: neither gets a response, and only the first may be stored', async () => {
  const received = await sendBoth(posted({ externalRef: 'first' }), posted({ externalRef: 'second' }));
  expect(received).toBe('');
  expect((await rowsOf(account.accountId)).map(({ externalRef }) => externalRef)).toEqual(['first']);
});

test.each([
  ['GET', '/nowhere', ''],
  ['DELETE', '/api/v1/me', ''],
  ['GET', '/api/v1/me', ''],
  ['GET', '/api/v1/me', 'Authorization: Bearer malformed\r\n'],
  ['GET', '/healthz', ''],
  ['GET', '/api/v1/docs', ''],
  ['GET', '/import', ''],
  ['GET', '/', ''],
])(
  '%s %s %p: requests sent ahead are not all handled in one turn: the connection is closed',
  async (method, path, header) => {
    const { socket, closed } = openConnection(system.url);
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n`.repeat(100));
    expect((await closed).split('HTTP/1.1 ').length - 1).toBeLessThan(3);
  },
);
