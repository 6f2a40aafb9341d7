/** The socket of a connection to Postgres. */
import { Socket, type SocketConnectOpts } from 'node:net';

/**
 * A socket for postgres.js. Its errors never end the process: the library removes all listeners of a socket that is closed, and of
 * one that TLS uses, but such a socket may still fail.
 *
 * It also repairs the library's write buffer. If a connection closes after a statement was buffered and before it was sent, the
 * library keeps the buffer, and then sends nothing on the next connections, until the buffer exceeds 1,024 bytes: each of them
 * fails after the connect timeout. Tests: `write buffer` in socket.test.ts.
 */
export class DatabaseSocket extends Socket {
  #hasStarted = false;
  #wasWritten = false;

  constructor() {
    super();
    this.on('error', ignore);
  }

  /** Connects in the next turn of the event loop: a unix socket fails at once, and the library does not listen yet. */
  connectSoon(target: SocketConnectOpts): void {
    setImmediate(() => {
      // To connect a socket that is destroyed would open it again.
      if (this.destroyed) return;
      this.#hasStarted = true;
      this.connect(target);
      // By then the library has written its first message. Closed without an error, it opens another socket for the same statement.
      setImmediate(() => this.#wasWritten || this.destroy());
    });
  }

  override _write(chunk: unknown, encoding: BufferEncoding, written: (error?: Error | null) => void): void {
    this.#wasWritten = true;
    if (this.#hasStarted) super._write(chunk, encoding, written);
    else this.#discard(written);
  }

  /** The kept buffer starts with statements of the lost connection. The library has emptied it now. */
  #discard(written: () => void): void {
    this.destroy();
    written();
  }

  override removeAllListeners(...events: [] | [string | symbol]): this {
    super.removeAllListeners(...events);
    if (this.listenerCount('error') === 0) this.on('error', ignore);
    return this;
  }
}

const ignore = () => {};
