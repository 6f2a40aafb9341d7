/** The proxy does to a real connection what each mode promises; otherwise the tests with faults of the network would test nothing. */
import { afterAll, expect, test } from 'bun:test';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { until } from '../fixtures/until.ts';
import { type Mode, PASS, startProxy } from './proxy.ts';
import { random } from './random.ts';

/** An echo server that counts what it receives. */
let received = '';
let arrivals = 0;
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    received += bytes;
    arrivals++;
    socket.write(bytes);
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const proxy = await startProxy(() => ({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }));
afterAll(async () => {
  await proxy.close();
  server.close();
});

/** A connection through the proxy, with what it has received and how it has ended. */
function open(text: string) {
  const socket = connect(proxy.port, '127.0.0.1');
  const peer = { socket, text: '', end: '' };
  socket.on('data', (bytes) => {
    peer.text += bytes;
  });
  socket.on('error', ({ code }: { code?: string }) => {
    peer.end = code ?? '';
  });
  socket.on('close', () => {
    peer.end ||= 'closed';
  });
  socket.write(text);
  return peer;
}

const REFUSED = ['ECONNREFUSED', ''];
// Nothing may arrive: only waiting shows it. A slow machine can only hide an error.
const QUIET_MS = 150;

/** Of an open connection that writes ' more', and of a new one: how they end, and what they have received. */
test.each<[mode: Mode, opened: string[], added: string[], atServer: string, afterPass: string[]]>([
  [PASS, ['', 'open more'], ['', 'new'], 'more', ['', 'open more']],
  [{ kind: 'cut' }, ['closed', 'open'], REFUSED, '', ['closed', 'open']],
  [{ kind: 'reset' }, ['ECONNRESET', 'open'], ['ECONNRESET', ''], '', ['ECONNRESET', 'open']],
  [{ kind: 'blackhole' }, ['', 'open'], ['', ''], '', ['', 'open more']],
  [{ kind: 'dropped' }, ['', 'open'], ['', 'new'], '', ['', 'open']],
  [{ kind: 'holdReplies' }, ['', 'open'], ['', ''], 'more', ['', 'open more']],
  [{ kind: 'slow', delayMs: 5 }, ['', 'open more'], ['', 'new'], 'more', ['', 'open more']],
])('%j', async (mode, opened, added, atServer, afterPass) => {
  received = '';
  const first = open('open');
  const seen = (peer: typeof first) => [peer.end, peer.text];
  await until('the echo', () => first.text === 'open');
  await proxy.set(mode);
  first.socket.write(' more');
  const second = open('new');
  const isAs = () => Bun.deepEquals([seen(first), seen(second)], [opened, added]);
  await until(`${mode.kind}`, () => isAs() && received.includes(atServer));
  await Bun.sleep(QUIET_MS);
  expect([seen(first), seen(second)]).toEqual([opened, added]);
  expect(received.includes('more')).toBe(atServer !== '');
  await proxy.set(PASS);
  await until('the mode pass', () => Bun.deepEquals(seen(first), afterPass));
  for (const { socket } of [first, second]) socket.destroy();
});

test('sliced: everything arrives, in order and in many pieces', async () => {
  await proxy.set({ kind: 'sliced', bytesMax: 5, random: random(2) });
  arrivals = 0;
  const peer = open('0123456789'.repeat(10));
  await until('the echo', () => peer.text === '0123456789'.repeat(10));
  expect(arrivals).toBeGreaterThan(10);
  peer.socket.destroy();
});
