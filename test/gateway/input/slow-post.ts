/** A POST of transactions whose body comes as slowly as a test likes. */
import { connect, type Socket } from 'node:net';
import type { TestAccount } from '../../fixtures/client.ts';

export interface SlowPost {
  socket: Socket;
  /** What came back until the connection ended. */
  closed: Promise<string>;
  /** What has come back so far. */
  received(): string;
}

/**
 * Sends the head of a request and `first`, the beginning of its body.
 * @param framing its header, `content-length: 100` or `transfer-encoding: chunked`
 */
export function beginPost(
  url: string,
  account: TestAccount,
  framing: string,
  first: string | Uint8Array,
): SlowPost {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  const closed = new Promise<string>((resolve) => {
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
  const path = `/api/v1/sources/${account.sources['uk-property']}/transactions`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\n${framing}\r\n\r\n`,
  );
  socket.write(first);
  return { socket, closed, received: () => received };
}
