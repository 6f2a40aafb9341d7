/** The proxy does to a real connection what each mode promises; otherwise the tests with faults of the network would test nothing. */
import { afterAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { startTcpServer } from '../fixtures/tcp-server.ts';
import { until } from '../fixtures/until.ts';
import { type Mode, PASS, startProxy } from './proxy.ts';
import { random } from './random.ts';

/** An echo server that keeps what each connection receives, in the pieces in which it arrives. */
let received: string[][] = [];
const server = await startTcpServer((socket) => {
  const pieces: string[] = [];
  received.push(pieces);
  socket.on('data', (bytes) => {
    pieces.push(String(bytes));
    socket.write(bytes);
  });
});
const proxy = await startProxy(() => ({ host: '127.0.0.1', port: server.port }));
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

const OPEN = ['', 'open more'];
const REFUSED = ['ECONNREFUSED', ''];
// Nothing may arrive: only waiting shows it. A slow machine can only hide an error.
const QUIET_MS = 150;

/** Of an open connection that writes ' more', and of a new one: how they end, and what they have received. */
test.each<[mode: Mode, opened: string[], added: string[], atServer: string, afterPass: string[]]>([
  [PASS, OPEN, ['', 'new'], 'more', OPEN],
  [{ kind: 'cut' }, ['closed', 'open'], REFUSED, '', ['closed', 'open']],
  [{ kind: 'reset' }, ['ECONNRESET', 'open'], ['ECONNRESET', ''], '', ['ECONNRESET', 'open']],
  [{ kind: 'blackhole' }, ['', 'open'], ['', ''], '', OPEN],
  [{ kind: 'dropped' }, ['', 'open'], ['', 'new'], '', ['', 'open']],
  [{ kind: 'holdReplies' }, ['', 'open'], ['', ''], 'more', OPEN],
  [{ kind: 'slow', delayMs: 5 }, OPEN, ['', 'new'], 'more', OPEN],
  [{ kind: 'sliced', bytesMax: 2, random: random(2) }, OPEN, ['', 'new'], 'more', OPEN],
])('%j', async (mode, opened, added, atServer, afterPass) => {
  received = [];
  const first = open('open');
  const seen = (peer: typeof first) => [peer.end, peer.text];
  await until('the echo', () => first.text === 'open');
  await proxy.set(mode);
  first.socket.write(' more');
  const second = open('new');
  const isAs = () => Bun.deepEquals([seen(first), seen(second)], [opened, added]);
  const pieces = () => received[0] ?? [];
  await until(`${mode.kind}`, () => isAs() && pieces().join('').includes(atServer));
  await Bun.sleep(QUIET_MS);
  expect([seen(first), seen(second)]).toEqual([opened, added]);
  expect(pieces().join('').includes('more')).toBe(atServer !== '');
  expect(pieces().length > 3).toBe(mode.kind === 'sliced');
  await proxy.set(PASS);
  await until('the mode pass', () => Bun.deepEquals(seen(first), afterPass));
  for (const { socket } of [first, second]) socket.destroy();
});
