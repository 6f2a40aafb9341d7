/** Requests written by hand, byte by byte, to the gateway's port: what no HTTP client would send. */
import { connect } from 'node:net';
import { system } from '../fixtures/system.ts';

// Longer than any response takes on a slow machine.
const HANG_MS = 50_000;

/**
 * Everything that comes back, as text, until the gateway closes the connection.
 * @throws Error when it has not done so after 50 s: a request has to say `Connection: close`, or be none
 */
export function sendBytes(request: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(system.url);
  return new Promise((resolve, reject) => {
    let response = '';
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.setEncoding('latin1');
    socket.on('data', (text) => {
      response += text;
    });
    socket.once('close', () => resolve(response));
    socket.once('error', reject);
    socket.setTimeout(HANG_MS, () => socket.destroy(new Error(`no end after ${HANG_MS} ms: ${response}`)));
  });
}

/** A whole request of its lines: the first, the headers, `Connection: close` unless they say otherwise, and a body. */
export function requestText(line: string, headers: string[] = [], body = ''): string {
  const closing = headers.some((header) => /^connection:/i.test(header)) ? [] : ['Connection: close'];
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const host = headers.some((header) => /^host:/i.test(header)) ? [] : ['Host: gateway'];
  return `${[`${line} HTTP/1.1`, ...host, ...headers, ...length, ...closing].join('\r\n')}\r\n\r\n${body}`;
}
