/** HTTP/1.1 over a raw socket. Of a response it reads only the status and finds the end. */
import { type Connection, openConnection, type Request, type ResponseReader } from './connection.ts';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = '0\r\n\r\n';

/** @param url `http://host:port` */
export function httpConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  return openConnection({ hostname, port: Number(port) }, new HttpResponseReader());
}

class HttpResponseReader implements ResponseReader {
  /** The status. */
  result = '';
  /** The missing bytes of the body; -1 for a chunked body. */
  #missing = 0;
  #head: Buffer | undefined;
  #inBody = false;
  #tail = '';

  /** Whether the response is complete with these bytes. */
  read(bytes: Buffer): boolean {
    if (this.#inBody) return this.#readBody(bytes);
    const head = this.#head === undefined ? bytes : Buffer.concat([this.#head, bytes]);
    const end = head.indexOf(HEAD_END);
    if (end < 0) {
      // Copied, because the socket reuses its buffer.
      this.#head = Buffer.from(head);
      return false;
    }
    this.#head = undefined;
    this.result = head.toString('latin1', 9, 12);
    this.#missing = contentLength(head.toString('latin1', 0, end).toLowerCase());
    this.#tail = '';
    this.#inBody = true;
    return this.#readBody(head.subarray(end + HEAD_END.length));
  }

  #readBody(bytes: Buffer): boolean {
    if (this.#missing >= 0) {
      this.#missing -= bytes.length;
      this.#inBody = this.#missing > 0;
    } else {
      this.#tail = (
        this.#tail + bytes.toString('latin1', Math.max(bytes.length - LAST_CHUNK.length, 0))
      ).slice(-LAST_CHUNK.length);
      this.#inBody = this.#tail !== LAST_CHUNK;
    }
    return !this.#inBody;
  }
}

function contentLength(head: string): number {
  const at = head.indexOf('content-length:');
  return at < 0 ? -1 : Number.parseInt(head.slice(at + 'content-length:'.length), 10);
}

export interface HttpRequest {
  method: 'GET' | 'POST';
  path: string;
  key: string;
  body?: string;
}

export function httpRequest(request: HttpRequest, expected: string, entries: number): Request {
  const { method, path, key, body = '' } = request;
  const head =
    `${method} ${path} HTTP/1.1\r\nHost: ledger\r\nAuthorization: Bearer ${key}\r\n` +
    (method === 'POST'
      ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
      : '\r\n');
  return { bytes: Buffer.from(head + body), expected, entries };
}
