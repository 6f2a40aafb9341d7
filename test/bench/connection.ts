/** What the loads have in common: a connection that carries one request at a time, as lean as can be. */

export interface Request {
  /** Rendered before anything is timed. */
  bytes: Buffer;
  /** What the answer must say: an HTTP status, or the first column of the first row. */
  expected: string;
  /** How many entries it is about. */
  entries: number;
}

export interface Line {
  /** `answered` is called with what the answer says, once the whole of it is there. */
  send(request: Request, answered: (said: string) => void): void;
  close(): void;
}

/** Reads one answer after the other. */
export interface Answers {
  /** What the answer says, once it is whole. */
  said: string;
  /** Whether it is whole with these bytes. */
  take(bytes: Buffer): boolean;
}

type Target = { hostname: string; port: number } | { unix: string };

/** @param goodbye sent before the connection is closed */
export async function openLine(target: Target, answers: Answers, goodbye?: Buffer): Promise<Line> {
  let answered: (said: string) => void = () => {};
  let lost = '';
  let rest: Buffer | undefined;
  const fail = (reason: string) => {
    lost ||= reason;
    answered(lost);
  };
  const write = (socket: Bun.Socket<undefined>, bytes: Buffer) => {
    const written = socket.write(bytes);
    if (written < bytes.length) rest = bytes.subarray(Math.max(written, 0));
  };
  const socketHandler: Bun.SocketHandler<undefined> = {
    data(_, bytes) {
      if (answers.take(bytes)) answered(answers.said);
    },
    // What the socket did not take at once.
    drain(socket) {
      const bytes = rest;
      rest = undefined;
      if (bytes !== undefined) write(socket, bytes);
    },
    close: () => fail('connection closed'),
    error: (_, error) => fail(error.message),
  };
  const socket = await ('unix' in target
    ? Bun.connect({ ...target, socket: socketHandler })
    : Bun.connect({ ...target, socket: socketHandler }));
  if ('port' in target) socket.setNoDelay(true);
  return {
    send({ bytes }, callback) {
      answered = callback;
      if (lost === '') write(socket, bytes);
      else queueMicrotask(() => callback(lost));
    },
    close() {
      answered = () => {};
      socket.end(goodbye);
    },
  };
}

/** One request by itself. @throws Error when the answer says something else than expected */
export function exchange(line: Line, request: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    line.send(request, (said) => (said === request.expected ? resolve() : reject(new Error(said))));
  });
}
