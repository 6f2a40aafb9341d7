/** The proxy's modes, seen from both ends of a real connection. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { until } from '../fixtures/until.ts';
import { type Link, type Mode, PASS, startProxy } from './proxy.ts';
import { random } from './random.ts';

/** An echo server that records what it receives. */
let server: Server;
let proxy: Link;
let received = '';
let arrivals = 0;
let accepted = 0;

beforeEach(async () => {
  [received, arrivals, accepted] = ['', 0, 0];
  server = createServer((socket) => {
    accepted++;
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received += bytes;
      arrivals++;
      socket.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  proxy = await startProxy(() => ({ host: '127.0.0.1', port }));
});
afterEach(async () => {
  await proxy.close();
  server.close();
});

interface Peer {
  socket: Socket;
  text: string;
  /** How the connection ended; undefined while it is open. */
  end: string | undefined;
}

function peer(): Peer {
  const socket = connect(proxy.port, '127.0.0.1');
  const seen: Peer = { socket, text: '', end: undefined };
  socket.on('data', (bytes) => {
    seen.text += bytes;
  });
  socket.on('error', ({ code }: { code?: string }) => {
    seen.end = code;
  });
  socket.on('close', () => {
    seen.end ??= 'closed';
  });
  return seen;
}

/** A connection that has already passed bytes in both directions. */
async function established(): Promise<Peer> {
  const each = peer();
  each.socket.write('hello');
  await until('the echo', () => each.text === 'hello');
  return each;
}

// How long a test waits for something that must not happen.
const QUIET_MS = 150;

test('pass: bytes pass in both directions, and the end of one side ends the other', async () => {
  const client = await established();
  client.socket.end();
  await until('the end', () => client.end === 'closed');
});

test('cut: open connections are closed and new ones refused, until the mode is pass again on the same port', async () => {
  const client = await established();
  await proxy.set({ kind: 'cut' });
  await until('the end', () => client.end === 'closed');
  const late = peer();
  await until('the refusal', () => late.end === 'ECONNREFUSED');
  await proxy.set(PASS);
  await established();
});

test('reset: open and new connections get a RST', async () => {
  const client = await established();
  await proxy.set({ kind: 'reset' });
  await until('the reset', () => client.end === 'ECONNRESET');
  const late = peer();
  late.socket.write('hello');
  await until('the reset', () => late.end !== undefined);
  expect([late.end, late.text]).toEqual(['ECONNRESET', '']);
  await proxy.set(PASS);
  await established();
});

test('blackhole: no bytes pass and no connection ends; everything arrives after the mode is pass again', async () => {
  const client = await established();
  await proxy.set({ kind: 'blackhole' });
  const late = peer();
  client.socket.write(' lost');
  late.socket.write(' late');
  await Bun.sleep(QUIET_MS);
  expect([received, client.text, client.end, late.text, late.end]).toEqual([
    'hello',
    'hello',
    undefined,
    '',
    undefined,
  ]);
  await proxy.set(PASS);
  await until('both echoes', () => client.text === 'hello lost' && late.text === ' late');
});

test('blackhole: the end of one side does not reach the other', async () => {
  const client = await established();
  const open = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  expect(await open()).toBe(1);
  await proxy.set({ kind: 'blackhole' });
  client.socket.destroy();
  await Bun.sleep(QUIET_MS);
  expect(await open()).toBe(1);
  await proxy.set(PASS);
  await until('the end', async () => (await open()) === 0);
});

test('dropped: an open connection delivers nothing any more and does not end, also in a later mode; new ones pass', async () => {
  const client = await established();
  await proxy.set({ kind: 'dropped' });
  await established();
  client.socket.write(' lost');
  await proxy.set(PASS);
  await Bun.sleep(QUIET_MS);
  expect([received, client.text, client.end]).toEqual(['hellohello', 'hello', undefined]);
});

test.each([
  ['the reply arrives after the release', PASS, 'hello held', undefined],
  ['and never after a cut', { kind: 'cut' } as const, 'hello', 'closed'],
])('holdReplies: a request arrives at once, %s', async (_, next, text, end) => {
  const client = await established();
  await proxy.set({ kind: 'holdReplies' });
  client.socket.write(' held');
  await until('the request', () => received === 'hello held');
  await Bun.sleep(QUIET_MS);
  expect(client.text).toBe('hello');
  await proxy.set(next);
  await until('the result', () => client.text === text && client.end === end);
});

describe('bytes arrive complete and in order:', () => {
  // More than the buffers in between can hold.
  const long = Array.from({ length: 60_000 }, (_, n) => `${n} `).join('');
  const modes: [string, string, Mode][] = [
    ['pass', long, PASS],
    ['slow', long, { kind: 'slow', delayMs: 2 }],
    ['sliced', long.slice(0, 2_000), { kind: 'sliced', bytesMax: 30, random: random(1) }],
  ];
  test.each(modes)('%s', async (_, text, mode) => {
    await proxy.set(mode);
    const client = peer();
    client.socket.write(text);
    await until('the echo', () => client.text.length >= text.length);
    expect(client.text).toBe(text);
    expect(accepted).toBe(1);
  });
});

test('slow: an echo takes twice the delay', async () => {
  const client = await established();
  await proxy.set({ kind: 'slow', delayMs: 60 });
  const begun = performance.now();
  client.socket.write(' slowly');
  await until('the echo', () => client.text === 'hello slowly');
  expect(performance.now() - begun).toBeGreaterThan(119);
});

test('sliced: one write arrives in many pieces', async () => {
  await proxy.set({ kind: 'sliced', bytesMax: 5, random: random(2) });
  const client = peer();
  client.socket.write('x'.repeat(100));
  await until('the echo', () => client.text.length === 100);
  expect(arrivals).toBeGreaterThan(10);
});
