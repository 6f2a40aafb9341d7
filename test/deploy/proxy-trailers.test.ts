/** HAProxy with the files of deploy/haproxy in front of a gateway: the ends of requests that a gateway alone refuses. */
import { afterAll, test as always, expect, setDefaultTimeout } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnChild } from '../../local/processes/child.ts';
import { rowsOf } from '../fixtures/books.ts';
import { read, temporaryDirectory } from '../fixtures/checkout.ts';
import { entry, TestAccount } from '../fixtures/client.ts';
import { freePort } from '../fixtures/free-port.ts';
import { system } from '../fixtures/system.ts';
import { until } from '../fixtures/until.ts';
import { openConnection } from '../fixtures/wire.ts';

setDefaultTimeout(60_000);

const command = Bun.which('haproxy');
const [, version = '0'] = command
  ? (/version (\d+\.\d+)/.exec(Bun.spawnSync([command, '-v']).stdout.toString()) ?? [])
  : [];
const test = always.skipIf(Number(version) < 3.2);

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.splice(0)) await step();
});

/** @returns the URL of a HAProxy in front of the gateway */
async function startProxy(addresses: string): Promise<string> {
  const folder = temporaryDirectory();
  const flags = ['haproxy.cfg', addresses].flatMap((name) => {
    const text = read(`deploy/haproxy/${name}`).replace(
      /(gateway|127\.0\.0\.1):3000/g,
      new URL(system.url).host,
    );
    writeFileSync(join(folder, name), text.replace(/^ +(user|group) .*\n/gm, ''));
    return ['-f', join(folder, name)];
  });
  const url = `http://127.0.0.1:${freePort()}`;
  const env = { ...process.env, BIND: new URL(url).host };
  const child = spawnChild({ name: 'haproxy', command: [`${command}`, ...flags], env });
  undo.push(() => child.stop());
  await until(
    'HAProxy has a gateway',
    async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true,
  );
  return url;
}

test.each(['compose.cfg', 'servers.cfg'])(
  'a line break behind the body, and trailers, are no part of a request: 201, and one entry (%s)',
  async (addresses) => {
    const url = await startProxy(addresses);
    const account = await TestAccount.create();
    const head = [
      `POST /api/v1/sources/${account.sources['uk-property']}/transactions HTTP/1.1`,
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
