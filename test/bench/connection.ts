/** A minimal connection with one request at a time. */

export interface Request {
  /** Rendered before the measurement. */
  bytes: Buffer;
  /** The expected HTTP status. */
  expected: string;
  /** The number of entries in the request. */
  entries: number;
}

export interface Connection {
  /** Calls `done` with the result once the response is complete. */
  send(request: Request, done: (result: string) => void): void;
  close(): void;
}

/** Reads one response after the other. */
export interface ResponseReader {
  /** The result of the last complete response. */
  result: string;
  /** Returns whether the response is complete with these bytes. */
  read(bytes: Buffer): boolean;
}

export async function openConnection(
  target: { hostname: string; port: number },
  reader: ResponseReader,
): Promise<Connection> {
  let done: (result: string) => void = () => {};
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
  const socketHandler: Bun.SocketHandler<undefined> = {
    data(_, bytes) {
      if (reader.read(bytes)) done(reader.result);
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
  const socket = await Bun.connect({ ...target, socket: socketHandler });
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
