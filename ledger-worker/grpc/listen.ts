/** Accepts the connections of a gRPC server. grpc-js limits neither their number nor the time until their first call. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import {
  Server,
  type ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServerOptions,
} from '@grpc/grpc-js';
import { bindError } from '../../platform/remedies.ts';

// A client connects when it has a call.
const SILENCE_MS_MAX = 10_000;
// More than the gateways of a worker open, and less than the files that a process may open.
const CONNECTIONS_MAX = 200;
// Far more streams than a gateway opens in one connection.
const STREAMS_MAX = 1_000;

interface Listening {
  /** host:port as bound. */
  address: string;
  /** Accepts no new connections and no new calls, waits up to `graceMs` for the calls in progress, then closes the connections. */
  close(graceMs: number): Promise<void>;
}

interface Address {
  /** `host:port`, with an IPv6 address in brackets; port 0 lets the system choose. */
  address: string;
  /** Of the environment, with the address. */
  variable: string;
  security: ServerCredentials;
}

/**
 * Starts a gRPC server at an address. Of more than 200 connections it closes the oldest without a call, or the new one. A connection
 * without a call is closed after 10 s.
 * @param addServices called before the server listens
 * @throws Error with one sentence when the address cannot be bound
 */
export async function listen(
  { address, variable, security }: Address,
  { interceptors = [], ...options }: ServerOptions,
  addServices: (server: Server) => void,
): Promise<Listening> {
  /** The connections that have had no call yet, by the address of the peer, oldest first. */
  const silent = new Map<string, Socket>();
  const noticeCall: ServerInterceptor = (_, call) => {
    silent.delete(call.getPeer());
    return new ServerInterceptingCall(call);
  };
  const server = new Server({
    'grpc.max_concurrent_streams': STREAMS_MAX,
    ...options,
    interceptors: [noticeCall, ...interceptors],
  });
  addServices(server);
  const injector = server.createConnectionInjector(security);
  const connections = new Set<Socket>();
  /** Closes a connection if it has had no call. */
  const closeSilent = (peer: string, socket: Socket) => {
    if (silent.get(peer) !== socket) return;
    silent.delete(peer);
    connections.delete(socket);
    socket.destroy();
  };
  const listener = createServer((socket) => {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    connections.add(socket);
    silent.set(peer, socket);
    const expired = setTimeout(closeSilent, SILENCE_MS_MAX, peer, socket);
    socket.once('close', () => {
      clearTimeout(expired);
      closeSilent(peer, socket);
      connections.delete(socket);
    });
    const [oldest] = silent;
    if (connections.size > CONNECTIONS_MAX && oldest) closeSilent(...oldest);
    if (!socket.destroyed) injector.injectConnection(socket);
  });
  const end = address.lastIndexOf(':');
  const [host, port] = [address.slice(0, end), Number(address.slice(end + 1))];
  const bound = await new Promise<number>((resolve, reject) => {
    listener.once('error', (error) => void bindError(variable, address, error).then(reject));
    listener.listen(port, host.replace(/^\[|\]$/g, ''), () =>
      resolve((listener.address() as AddressInfo).port),
    );
  });
  return {
    address: `${host}:${bound}`,
    async close(graceMs) {
      // The injector does not know a connection before the end of its TLS handshake.
      injector.drain(graceMs);
      const forced = setTimeout(() => connections.forEach((socket) => void socket.destroy()), graceMs);
      await new Promise((resolve) => listener.close(resolve));
      clearTimeout(forced);
    },
  };
}
