/** The worker's server in the test's process, over a database whose state the test decides, and its peers. */
import { afterAll } from 'bun:test';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Client, credentials, ServerCredentials } from '@grpc/grpc-js';
import { service as healthService } from 'grpc-health-check';
import { serve, type WorkerServices } from '../../../ledger-worker/grpc/server.ts';
import { createLog } from '../../../platform/log.ts';

/** Handlers that nobody calls. */
const unused = () => new Proxy({}, { get: () => async () => ({}) }) as never;

export const cleanUps: (() => unknown)[] = [];
/** After the last test: the tests of a file run at once. */
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

/** The statuses that a watcher of the worker's health has got so far: one for each check of the database. */
export function watchHealth(address: string): string[] {
  // A connection of its own.
  const options = { 'grpc.use_local_subchannel_pool': 1 };
  const client = new Client(address, credentials.createInsecure(), options);
  const { path, requestSerialize, responseDeserialize } = healthService.Watch as never;
  const stream = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { service: '' });
  const statuses: string[] = [];
  stream.on('data', ({ status }: { status: string }) => statuses.push(status));
  stream.on('error', () => {});
  cleanUps.push(() => {
    stream.cancel();
    client.close();
  });
  return statuses;
}

/** A worker over a database whose check has the outcome of `check`, and what it has found of the database so far. */
export async function startServer(
  check: () => Promise<boolean>,
  security = ServerCredentials.createInsecure(),
) {
  const checked: boolean[] = [];
  const observer = {
    databaseChecked: (isUp: boolean) => void checked.push(isUp),
    rpcFinished: () => {},
    registerInFlight: () => {},
  };
  const database = { check, reasons: () => 'none', times: () => [] };
  const services: WorkerServices = { ledger: unused(), admin: unused(), database };
  const [listenAddress, adminAddress] = ['127.0.0.1:0', '127.0.0.1:0'];
  const options = { listenAddress, adminAddress, security, keyPrefix: 'ours', requestsInFlightMax: 1 };
  const server = await serve(services, options, {
    observer,
    tracing: undefined,
    log: createLog('a test'),
  });
  return { server, checked };
}

/** Connections that send nothing. */
export async function openSilent(address: string, count: number): Promise<Socket[]> {
  const port = Number(address.slice(address.lastIndexOf(':') + 1));
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n++) {
    const socket = connect(port, '127.0.0.1')
      .on('error', () => {})
      .resume();
    await once(socket, 'connect');
    sockets.push(socket);
  }
  cleanUps.push(() => sockets.forEach((socket) => void socket.destroy()));
  return sockets;
}

export const closed = (sockets: Socket[]) => sockets.filter((socket) => socket.closed).length;
