/** A POST of transactions whose body comes as slowly as a test likes. */
import { connect, type Socket } from 'node:net';
import type { TestAccount } from '../../fixtures/client.ts';

export interface Connection {
  socket: Socket;
  /** What came back until the connection ended. */
  closed: Promise<string>;
  /** What has come back so far. */
  received(): string;
}

/** Opens a connection to the server at `url`. */
export function openConnection(url: string): Connection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (data) => {
    received += data;
  });
  // A reset is an end like any other.
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
  return { socket, closed, received: () => received };
}

/**
 * Sends the head of a request and `first`, the beginning of its body.
 * @param framing its header, `content-length: 100` or `transfer-encoding: chunked`
 */
export function beginPost(url: string, account: TestAccount, framing: string, first: string): Connection {
  const connection = openConnection(url);
  const path = `/api/v1/sources/${account.sources['uk-property']}/transactions`;
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\n${framing}`;
  connection.socket.write(`${head}\r\n\r\n`);
  connection.socket.write(first);
  return connection;
}
