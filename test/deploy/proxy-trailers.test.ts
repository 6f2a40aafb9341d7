/** HAProxy with the files of deploy/haproxy in front of a gateway: the ends of requests that a gateway alone refuses. */

import { test as always, expect, setDefaultTimeout } from 'bun:test';
import { rowsOf } from '../fixtures/books.ts';
import { entry, TestAccount } from '../fixtures/client.ts';
import { HAPROXY_VERSION, startProxy } from '../fixtures/haproxy.ts';
import { until } from '../fixtures/until.ts';
import { openConnection } from '../fixtures/wire.ts';

setDefaultTimeout(60_000);

const test = always.skipIf(HAPROXY_VERSION < 3.2);

test.each(['compose.cfg', 'servers.cfg'])(
  'a line break behind the body, and trailers, are no part of a request: 201, and one entry (%s)',
  async (addresses) => {
    const url = await startProxy(addresses);
    const account = await TestAccount.create();
    const head = [
      `POST ${account.transactions} HTTP/1.1`,
      `Host: ${new URL(url).host}`,
      `Authorization: Bearer ${account.key}`,
    ].join('\r\n');
    const json = JSON.stringify(entry());
    const chunked = `${head}\r\nTransfer-Encoding: chunked\r\n\r\n${json.length.toString(16)}\r\n${json}\r\n0\r\n`;
    const requests = [
      [`${head}\r\nContent-Length: ${json.length}\r\n\r\n${json}\r\n`],
      [`${chunked}X-T: 1\r\n\r\n`],
      [chunked, 'X-T: 1\r\n\r\n'],
      [`${chunked}X-T`, ': 1\r\n\r\n'],
    ];
    for (const [n, parts] of requests.entries()) {
      const { socket, received } = openConnection(url);
      for (const part of parts) await new Promise((written) => socket.write(part, written));
      await until('a response', () => received() !== '');
      expect(received()).toStartWith('HTTP/1.1 201 ');
      expect(await rowsOf(account.accountId)).toHaveLength(n + 1);
      socket.destroy();
    }
  },
);
