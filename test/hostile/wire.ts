/** A minimal HTTP/1.1 client over a raw socket, which can send any bytes. */
import { connect, type Socket } from 'node:net';

export interface WireResponse {
  status: number;
  /** Names in lower case. */
  headers: Map<string, string>;
  body: Buffer;
  /** Head and body as received. */
  raw: Buffer;
}

export interface Exchange {
  /** In the order of arrival. */
  responses: WireResponse[];
  /** `complete`: all expected responses have arrived. */
  ended: 'complete' | 'closed' | 'timeout';
  /** Bytes after the last complete response. */
  rest: Buffer;
}

/** A connection that is opened when needed, and reopened after the server has closed it. */
export class Connection {
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);
  #changed: () => void = () => {};

  constructor(private readonly port: number) {}

  /**
   * Writes `packets` and reads one response for each of `methods`.
   * @param ms the timeout for the whole exchange
   */
  async exchange(packets: readonly Buffer[], methods: readonly string[], ms: number): Promise<Exchange> {
    const socket = await this.#open();
    const responses: WireResponse[] = [];
    const { promise, resolve } = Promise.withResolvers<Exchange['ended']>();
    const readResponses = () => {
      while (responses.length < methods.length) {
        const read = readResponse(this.#received, methods[responses.length] ?? '');
        if (!read) break;
        this.#received = this.#received.subarray(read.end);
        // 100 Continue precedes the response.
        if (read.response.status >= 200) responses.push(read.response);
      }
      if (responses.length === methods.length) resolve('complete');
      else if (socket.destroyed) resolve('closed');
    };
    const timer = setTimeout(() => resolve('timeout'), ms);
    this.#changed = readResponses;
    await write(socket, packets);
    readResponses();
    const ended = await promise;
    clearTimeout(timer);
    this.#changed = () => {};

    const rest = this.#received;
    const closes = responses.some(({ headers }) => headers.get('connection') === 'close');
    if (ended !== 'complete' || rest.length > 0 || closes) this.close();
    return { responses, ended, rest };
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#received = Buffer.alloc(0);
  }

  async #open(): Promise<Socket> {
    if (this.#socket && !this.#socket.destroyed) return this.#socket;
    this.close();
    const socket = connect(this.port, '127.0.0.1');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.once('connect', resolve).once('error', reject);
    await promise;
    socket.setNoDelay(true);
    socket.on('data', (data: Buffer<ArrayBuffer>) => {
      if (socket !== this.#socket) return;
      this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
      this.#changed();
    });
    // 'close' follows and handles the end.
    socket.on('error', () => {});
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.#changed());
    this.#socket = socket;
    return socket;
  }
}

/** Writes packets with a pause between them, so that the server mostly reads them separately. */
async function write(socket: Socket, packets: readonly Buffer[]): Promise<void> {
  for (const [at, packet] of packets.entries()) {
    if (at > 0) await Bun.sleep(1);
    if (socket.destroyed) return;
    socket.write(packet);
  }
}

/** The first response in `received` and where it ends; undefined while it is incomplete. */
function readResponse(received: Buffer, method: string): { response: WireResponse; end: number } | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = received.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})( |$)/.exec(statusLine)?.[1]);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = headEnd + 4;
  const read = hasNoBody(status, method)
    ? { body: Buffer.alloc(0), end: start }
    : headers.get('transfer-encoding') === 'chunked'
      ? readChunks(received, start)
      : readLength(received, start, Number(headers.get('content-length') ?? 0));
  if (!read) return undefined;
  const { body, end } = read;
  return { response: { status, headers, body, raw: received.subarray(0, end) }, end };
}

function hasNoBody(status: number, method: string): boolean {
  return method === 'HEAD' || status < 200 || status === 204 || status === 304;
}

function readLength(received: Buffer, start: number, length: number) {
  const end = start + length;
  return received.length < end ? undefined : { body: received.subarray(start, end), end };
}

function readChunks(received: Buffer, start: number) {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = received.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(received.toString('latin1', at, lineEnd), 16);
    const from = lineEnd + 2;
    if (received.length < from + size + 2) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), end: from + 2 };
    parts.push(received.subarray(from, from + size));
    at = from + size + 2;
  }
}
