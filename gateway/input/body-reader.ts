/** Reads request bodies within limits: size, time, memory, number of slow bodies, and large bodies in one turn of the event loop. */
import type { InFlightCounts } from '../../platform/metrics.ts';
import { LIMITS } from '../../proto/domain.ts';
import { ApiError, BODY_MIB_MAX, overloaded } from '../api/errors.ts';
import { createQuota, type Quota, type Reservation } from '../http/quota.ts';
import { nextTurn } from '../http/requests-in-flight.ts';

export interface BodyReader {
  /**
   * Reads the whole body. The memory of a large one stays reserved until the result is disposed of.
   * @returns at most one large body in each turn of the event loop: parsing one takes up to 50 ms, and others proceed in between
   * @throws ApiError payload_too_large, request_timeout, invalid_json; server_error (503) at the limit of memory or of slow
   *   bodies, in all or for the account
   */
  read(request: Request, accountId: string): Promise<Body>;
  inFlight: InFlightCounts;
}

export interface Body extends Disposable {
  bytes: Uint8Array;
}

export interface BodyReaderOptions {
  /** The limit of one body. */
  timeoutMs: number;
  /** The memory of all large bodies, until their response. */
  bytes: Quota;
  /** Concurrent bodies that take longer than SLOW_MS. */
  slowMax: number;
}

// A large body takes memory and a turn of its own. Smaller ones are parsed within half a millisecond, and never wait for memory.
const LARGE_BYTES = 64 * 1024;
const SLOW_MS = 1_000;
const SLOW_PER_ACCOUNT_MAX = 16;

export function createBodyReader({ timeoutMs, bytes: ofBodies, slowMax }: BodyReaderOptions): BodyReader {
  const slow = createQuota(slowMax, SLOW_PER_ACCOUNT_MAX);
  // The bodies that have not been returned yet, with a function that refuses each.
  const waiting = new Map<Reservation, (error: ApiError) => void>();
  let lastTurn: Promise<unknown> = Promise.resolve();

  /** When the memory is full, the largest waiting body gives way to a smaller one: a client that fills memory cannot block others. */
  function makeRoom(size: number): boolean {
    const [reserved, refuse] = [...waiting].reduce((a, b) => (b[0].amount() > a[0].amount() ? b : a));
    if (reserved.amount() <= size) return false;
    reserved.close();
    refuse(overloaded(CLOSE_CONNECTION));
    return true;
  }

  /** Reserves memory as the bytes arrive, not as declared. */
  async function readChunks(body: ReadableStream<Uint8Array>, reserved: Reservation): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > LIMITS.bodyBytesMax) throw tooLarge();
      if (size > LARGE_BYTES && !reserved.raise(size, () => makeRoom(size))) throw overloaded();
    }
    return Buffer.concat(chunks);
  }

  /** Refuses a body that does not arrive in time, or is one slow body too many. @returns a function that ends the wait */
  function limitTime(accountId: string, refuse: (error: ApiError) => void): () => void {
    const slot = slow.open(accountId);
    const slowMs = Math.min(SLOW_MS, timeoutMs);
    let timer = setTimeout(() => {
      if (!slot.raise(1)) return refuse(overloaded(CLOSE_CONNECTION));
      timer = setTimeout(() => {
        const message = `The body did not arrive within ${timeoutMs / 1000} s: send fewer entries per request.`;
        refuse(new ApiError('request_timeout', message, { headers: CLOSE_CONNECTION }));
      }, timeoutMs - slowMs);
    }, slowMs);
    return () => {
      clearTimeout(timer);
      slot.close();
    };
  }

  return {
    inFlight: { slow_bodies: slow.used, slow_body_accounts: slow.accounts },

    async read(request, accountId) {
      const declared = request.headers.get('content-length');
      // Two headers arrive as one: "5, 5".
      if (declared !== null && !/^\d+$/.test(declared)) {
        throw new ApiError('invalid_json', 'Content-Length must be given once, as a whole number.');
      }
      if (Number(declared) > LIMITS.bodyBytesMax) throw tooLarge();
      const reserved = ofBodies.open(accountId);
      const refusal = Promise.withResolvers<never>();
      waiting.set(reserved, refusal.reject);
      const endWait = limitTime(accountId, refusal.reject);
      try {
        // A body of declared length cannot grow.
        const isSmall = !request.body || (declared !== null && Number(declared) <= LARGE_BYTES);
        const reading = isSmall ? request.bytes() : readChunks(request.body, reserved);
        const bytes = await Promise.race([reading, refusal.promise]);
        endWait();
        if (bytes.length > LARGE_BYTES) {
          lastTurn = lastTurn.then(() => nextTurn());
          await Promise.race([lastTurn, refusal.promise]);
        }
        return { bytes, [Symbol.dispose]: reserved.close };
      } catch (error) {
        reserved.close();
        if (error instanceof ApiError) throw error;
        // The client has disconnected and reads no response. A client error keeps it out of the log of failures.
        throw new ApiError('invalid_json', 'The body ended early.');
      } finally {
        endWait();
        waiting.delete(reserved);
      }
    },
  };
}

// Stops the rest of the body.
const CLOSE_CONNECTION = { connection: 'close' };

/** The rest of the body is discarded. Closing the connection at once would cost some clients the response. */
function tooLarge(): ApiError {
  return new ApiError(
    'payload_too_large',
    `The body is larger than ${BODY_MIB_MAX} MiB: send fewer entries per request.`,
  );
}
