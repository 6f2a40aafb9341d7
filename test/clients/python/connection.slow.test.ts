/** The connection of the Python package: it stays open, and no request fails because of that. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { printed } from './interpreter.ts';
import { ACCOUNT } from './rules.ts';

setDefaultTimeout(60_000);

describe('the connection of Python', () => {
  /** A service that counts its connections, and does with each request as `respond` says. */
  async function counted(respond: (socket: Socket, ordinal: number) => void) {
    const ports = new Set<number | undefined>();
    let requests = 0;
    const server = createServer((socket) => {
      ports.add(socket.remotePort);
      socket.on('error', () => {});
      socket.on('data', () => respond(socket, ++requests));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      connections: () => ports.size,
      [Symbol.dispose]: () => server.close(),
    };
  }
  const body = JSON.stringify(ACCOUNT);
  const response = (...headers: string[]) =>
    ['HTTP/1.1 200 OK', `Content-Length: ${body.length}`, ...headers, '', body].join('\r\n');

  test('stays open for the next request', async () => {
    using service = await counted((socket) => socket.write(response()));
    await printed(service.url, 'for _ in range(3): ledger.me()');
    expect(service.connections()).toBe(1);
  });

  test('is another one after `close`, and after the service has closed it, without a request that fails', async () => {
    using service = await counted((socket, n) => {
      if (n === 1) socket.write(response());
      else socket.end(response(...(n === 2 ? ['Connection: close'] : [])));
    });
    const program = `
import time
pauses = []
with Ledger(os.environ["LEDGER_URL"], "SECRET", on_pause=pauses.append) as ledger:
    ledger.me()
    ledger.close()
    for _ in range(3):
        ledger.me()
        time.sleep(0.05)
print(len(pauses))`;
    expect(await printed(service.url, program)).toEqual(['0']);
    expect(service.connections()).toBe(4);
  });

  test('belongs to its process: a fork opens its own', async () => {
    using service = await counted((socket) => socket.write(response()));
    const program = `
ledger.me()
child = os.fork()
if child == 0:
    os._exit(0 if ledger.me()["accountId"] == "a" else 1)
print(os.waitpid(child, 0)[1])
ledger.me()`;
    expect(await printed(service.url, program)).toEqual(['0']);
    expect(service.connections()).toBe(2);
  });

  test('is one for each thread that uses it at the same time', async () => {
    using service = await counted((socket) => setTimeout(() => socket.write(response()), 100));
    const program = `
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    print({account["accountId"] for account in pool.map(lambda _: ledger.me(), range(12))})`;
    expect(await printed(service.url, program)).toEqual(["{'a'}"]);
    expect(service.connections()).toBe(4);
  });
});
