/** HTTP/1.1 over a socket of one's own: writes whatever bytes it is given, and reads answers one by one. */
import { connect, type Socket } from 'node:net';

export interface WireAnswer {
  status: number;
  /** Names in lower case. */
  headers: Map<string, string>;
  body: Buffer;
  /** Head and body as they came. */
  raw: Buffer;
}

export interface Exchange {
  /** In the order in which they came. */
  answers: WireAnswer[];
  /** `late`: neither all answers nor an end within the time. */
  ended: 'answered' | 'closed' | 'late';
  /** What came beside whole answers. */
  rest: Buffer;
}

/** A connection that is opened when needed, and again once the other side has closed it. */
export class Connection {
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);
  #changed: () => void = () => {};

  constructor(private readonly port: number) {}

  /**
   * Writes `packets` and reads one answer for each of `methods`.
   * @param ms longest time for all of it
   */
  async exchange(packets: readonly Buffer[], methods: readonly string[], ms: number): Promise<Exchange> {
    const socket = await this.#open();
    const answers: WireAnswer[] = [];
    const { promise, resolve } = Promise.withResolvers<Exchange['ended']>();
    const look = () => {
      while (answers.length < methods.length) {
        const read = readAnswer(this.#received, methods[answers.length] ?? '');
        if (!read) break;
        this.#received = this.#received.subarray(read.end);
        // 100 Continue announces the answer.
        if (read.answer.status >= 200) answers.push(read.answer);
      }
      if (answers.length === methods.length) resolve('answered');
      else if (socket.destroyed) resolve('closed');
    };
    const timer = setTimeout(() => resolve('late'), ms);
    this.#changed = look;
    await write(socket, packets);
    look();
    const ended = await promise;
    clearTimeout(timer);
    this.#changed = () => {};

    const rest = this.#received;
    const saysClose = answers.some(({ headers }) => headers.get('connection') === 'close');
    if (ended !== 'answered' || rest.length > 0 || saysClose) this.close();
    return { answers, ended, rest };
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
    // A reset is an end like any other.
    socket.on('error', () => {});
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.#changed());
    this.#socket = socket;
    return socket;
  }
}

/** Each packet in a turn of its own, so that the other side mostly reads them apart. */
async function write(socket: Socket, packets: readonly Buffer[]): Promise<void> {
  for (const [at, packet] of packets.entries()) {
    if (at > 0) await Bun.sleep(1);
    if (socket.destroyed) return;
    socket.write(packet);
  }
}

/** The first answer in `received`, and where it ends; undefined while it is not whole. */
function readAnswer(received: Buffer, method: string): { answer: WireAnswer; end: number } | undefined {
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
  return { answer: { status, headers, body, raw: received.subarray(0, end) }, end };
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
