/** The socket of a connection to Postgres. */
import { Socket, type SocketConnectOpts } from 'node:net';

/**
 * A socket for postgres.js. Its errors never end the process: the library removes all listeners of a socket that is closed, and of
 * one that TLS uses, but such a socket may still fail.
 *
 * It connects when the library writes its first message. This repairs the library's write buffer: if a connection closes after a
 * statement was buffered and before it was sent, the library keeps the buffer, and then sends nothing on the next connections,
 * until the buffer exceeds 1,024 bytes. Each of them would fail after the connect timeout. Tests: `write buffer` in socket.test.ts.
 */
export class DatabaseSocket extends Socket {
  readonly #target: SocketConnectOpts;
  #isFirstTurn = true;
  #wasWritten = false;
  #wasClosed = false;

  constructor(target: SocketConnectOpts) {
    super();
    this.#target = target;
    this.on('error', ignore);
    setImmediate(() => {
      this.#isFirstTurn = false;
      // The library has written by then. If the socket closes without an error, the library opens another one for the same statement.
      setImmediate(() => this.#wasWritten || this.destroy());
    });
  }

  /** Destroys it, as soon as it is connected: Bun may lose a socket that is destroyed while it connects. */
  endSoon(): void {
    if (this.readyState === 'open') this.destroy();
    else this.once('connect', () => this.destroy());
  }

  override _write(chunk: unknown, encoding: BufferEncoding, written: (error?: Error | null) => void): void {
    if (this.#isFirstTurn) this.#discard(written);
    else this.#send(chunk, encoding, written);
  }

  /** Drops the buffer that the library kept from the lost connection. It writes the first message of the new one a turn later. */
  #discard(written: () => void): void {
    this.destroy();
    written();
  }

  #send(chunk: unknown, encoding: BufferEncoding, written: (error?: Error | null) => void): void {
    if (!this.#wasWritten) this.connect(this.#target);
    this.#wasWritten = true;
    super._write(chunk, encoding, written);
  }

  /**
   * Emits 'close' together with 'error'. The library fails the statement that runs at the error, and none at the close after it: one
   * that began between the two would never end. Test: `between the error of a connection and its close` in socket.test.ts.
   */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'close' && this.#wasClosed) return false;
    this.#wasClosed ||= event === 'close';
    const wasHeard = super.emit(event, ...args);
    if (event === 'error') this.emit('close', true);
    return wasHeard;
  }

  override removeAllListeners(...events: [] | [string | symbol]): this {
    super.removeAllListeners(...events);
    if (this.listenerCount('error') === 0) this.on('error', ignore);
    return this;
  }
}

const ignore = () => {};
