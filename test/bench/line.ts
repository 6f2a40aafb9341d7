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

/** Writes what the socket did not take at once as soon as it takes more. */
export class Outbox {
  #rest: Buffer | undefined;

  write(socket: Bun.Socket, bytes: Buffer): void {
    const written = socket.write(bytes);
    if (written < bytes.length) this.#rest = bytes.subarray(Math.max(written, 0));
  }

  drain(socket: Bun.Socket): void {
    const rest = this.#rest;
    if (rest === undefined) return;
    this.#rest = undefined;
    this.write(socket, rest);
  }
}

/** One request by itself. @throws Error when the answer says something else than expected */
export function exchange(line: Line, request: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    line.send(request, (said) => (said === request.expected ? resolve() : reject(new Error(said))));
  });
}
