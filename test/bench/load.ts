/** Load: HTTP/1.1 over raw sockets, and clients that send their next request as soon as they have the last response. */

export interface Request {
  /** Rendered before the measurement. */
  bytes: Buffer;
  expected: string;
}

interface Connection {
  /** Sends one request at a time. Calls `done` with the status once the response is complete. */
  send(request: Request, done: (status: string) => void): void;
  close(): void;
}

export interface Sample {
  /** From the first request to the last response. */
  seconds: number;
  /** Of each request, from its first byte to its response. */
  times: number[];
  /** The number of unexpected responses by status. */
  failures: Record<string, number>;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = '0\r\n\r\n';

/** @param url `http://host:port` */
export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const response = newResponse();
  let done: (status: string) => void = () => {};
  let lost = '';
  let rest: Buffer | undefined;
  const fail = (reason: string) => {
    lost ||= reason;
    done(lost);
  };
  const write = (socket: Bun.Socket<undefined>, bytes: Buffer) => {
    const written = socket.write(bytes);
    if (written < bytes.length) rest = bytes.subarray(Math.max(written, 0));
  };
  const handlers: Bun.SocketHandler<undefined> = {
    data(_, bytes) {
      if (response.read(bytes)) done(response.status);
    },
    // Writes the bytes that the socket has not accepted before.
    drain(socket) {
      const bytes = rest;
      rest = undefined;
      if (bytes !== undefined) write(socket, bytes);
    },
    close: () => fail('connection closed'),
    error: (_, error) => fail(error.message),
  };
  const socket = await Bun.connect({ hostname, port: Number(port), socket: handlers });
  socket.setNoDelay(true);
  return {
    send({ bytes }, callback) {
      done = callback;
      if (lost === '') write(socket, bytes);
      // Not a microtask: a loop over a lost connection would run before anything else, such as the handler of Ctrl-C.
      else setImmediate(() => callback(lost));
    },
    close() {
      done = () => {};
      socket.end();
    },
  };
}

/** Reads only the status of one response after the other, and finds their ends. */
function newResponse() {
  let head: Buffer | undefined;
  let isInBody = false;
  /** The missing bytes of the body; NaN for a chunked body. */
  let missing = 0;
  let tail = '';
  const readBody = (bytes: Buffer): boolean => {
    if (Number.isNaN(missing)) {
      const last = bytes.toString('latin1', Math.max(bytes.length - LAST_CHUNK.length, 0));
      tail = (tail + last).slice(-LAST_CHUNK.length);
      isInBody = tail !== LAST_CHUNK;
    } else {
      missing -= bytes.length;
      isInBody = missing > 0;
    }
    return !isInBody;
  };
  return {
    status: '',
    /** @returns whether the response is complete with these bytes */
    read(bytes: Buffer): boolean {
      if (isInBody) return readBody(bytes);
      const text = head === undefined ? bytes : Buffer.concat([head, bytes]);
      const end = text.indexOf(HEAD_END);
      // Copied, because the socket reuses its buffer.
      head = end < 0 ? Buffer.from(text) : undefined;
      if (end < 0) return false;
      this.status = text.toString('latin1', 9, 12);
      missing = Number(/content-length: *(\d+)/i.exec(text.toString('latin1', 0, end))?.[1]);
      tail = '';
      return readBody(text.subarray(end + HEAD_END.length));
    },
  };
}

/** Each connection is a client. The loop ends when `next` returns no request. */
export async function closedLoop(
  connections: readonly Connection[],
  next: () => Request | undefined,
): Promise<Sample> {
  const times: number[] = [];
  const failures: Record<string, number> = {};
  const begun = performance.now();
  const client = (connection: Connection) =>
    new Promise<void>((resolve) => {
      const sendNext = () => {
        const request = next();
        if (request === undefined) return resolve();
        const sent = performance.now();
        connection.send(request, (status) => {
          times.push(performance.now() - sent);
          if (status !== request.expected) failures[status] = (failures[status] ?? 0) + 1;
          sendNext();
        });
      };
      sendNext();
    });
  await Promise.all(connections.map(client));
  return { seconds: (performance.now() - begun) / 1_000, times, failures };
}

/** Sends each request once. @throws Error when a response is not the expected one */
export async function sendOnce(url: string, requests: readonly Request[], clients: number): Promise<Sample> {
  const connections = await openConnections(url, clients);
  const left = requests.values();
  const sample = await closedLoop(connections, () => left.next().value);
  for (const connection of connections) connection.close();
  const { failures } = sample;
  if (Object.keys(failures).length > 0) throw new Error(`responses of ${url}: ${JSON.stringify(failures)}`);
  return sample;
}

export const openConnections = (url: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => openConnection(url)));

/** @param share from 0, the lowest, to 1, the highest */
export function quantile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
}
