/** A TCP proxy that simulates network faults. Its mode can change at any time, also for open connections. */
import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import type { Random } from './random.ts';

export type Mode =
  | { kind: 'pass' }
  /** Every connection is closed; new ones are refused. */
  | { kind: 'cut' }
  /** Every connection gets a RST, new ones too. */
  | { kind: 'reset' }
  /** Connections stay open and new ones are accepted, but no bytes pass in either direction. */
  | { kind: 'blackhole' }
  /** The connections that are open now deliver nothing any more, also in a later mode. New ones pass. */
  | { kind: 'dropped' }
  | { kind: 'slow'; delayMs: number }
  /** Every chunk arrives in pieces of at most `bytesMax`. */
  | { kind: 'sliced'; bytesMax: number; random: Random }
  /** Requests pass; replies are held back until the mode changes. */
  | { kind: 'holdReplies' };

export const PASS: Mode = { kind: 'pass' };

/** Returns the address of the server, for each new connection. */
export type Target = () => { host: string; port: number } | { path: string };

/** Of `host:port`. */
export function targetOf(address = ''): ReturnType<Target> {
  const [host = '', port] = address.split(':');
  return { host, port: Number(port) };
}

export interface Link {
  readonly port: number;
  set(mode: Mode): Promise<void>;
  close(): Promise<void>;
}

// Another process may use the port of a cut link for an outgoing connection.
const LISTEN_ATTEMPTS = 50;
// The pause makes the reader receive each slice separately.
const BETWEEN_SLICES_MS = 1;

/** Listens on a free port of 127.0.0.1. */
export async function startProxy(target: Target): Promise<Link> {
  let mode: Mode = PASS;
  let changed = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  // Of the mode 'dropped'.
  const silent = new WeakSet<Socket>();
  const never = new Promise<never>(() => {});

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (mode.kind === 'reset') return void client.resetAndDestroy();
    const upstream = dial({ ...target(), allowHalfOpen: true });
    const pairs: [Socket, Socket][] = [
      [client, upstream],
      [upstream, client],
    ];
    for (const [socket, other] of pairs) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', async () => {
        sockets.delete(socket);
        await mayPass(socket);
        other.destroySoon();
      });
    }
    forward(client, upstream, 'request');
    forward(upstream, client, 'reply');
  });

  /** Waits while the mode blocks this direction. */
  async function mayPass(socket: Socket, direction?: 'request' | 'reply'): Promise<void> {
    if (silent.has(socket)) await never;
    while (mode.kind === 'blackhole' || (mode.kind === 'holdReplies' && direction === 'reply')) {
      await changed.promise;
    }
  }

  async function forward(from: Socket, to: Socket, direction: 'request' | 'reply'): Promise<void> {
    try {
      for await (const chunk of from) {
        await mayPass(from, direction);
        for (const piece of pieces(chunk, mode)) {
          if (mode.kind === 'slow') await Bun.sleep(mode.delayMs);
          if (mode.kind === 'sliced') await Bun.sleep(BETWEEN_SLICES_MS);
          if (!to.write(piece)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
        }
      }
      await mayPass(from, direction);
      to.end();
    } catch {
      // One side has failed; its 'close' handler closes the other.
    }
  }

  const listen = async (port: number) => {
    for (let attempt = 1; !server.listening; attempt++) {
      try {
        server.listen(port, '127.0.0.1');
        await once(server, 'listening');
      } catch (error) {
        if (attempt === LISTEN_ATTEMPTS) throw error;
        await Bun.sleep(20);
      }
    }
  };

  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async set(next) {
      mode = next;
      changed.resolve();
      changed = Promise.withResolvers();
      if (mode.kind === 'dropped') for (const socket of sockets) silent.add(socket);
      if (mode.kind === 'reset') for (const socket of sockets) socket.resetAndDestroy();
      if (mode.kind === 'cut') {
        server.close();
        for (const socket of sockets) socket.destroy();
      } else await listen(port);
    },
    async close() {
      mode = PASS;
      changed.resolve();
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function* pieces(chunk: Buffer, mode: Mode): Generator<Buffer> {
  if (mode.kind !== 'sliced') return yield chunk;
  for (let start = 0; start < chunk.length; ) {
    const end = start + mode.random.int(1, mode.bytesMax);
    yield chunk.subarray(start, end);
    start = end;
  }
}
