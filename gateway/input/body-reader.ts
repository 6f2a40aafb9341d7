/** Reads request bodies within limits: size, time, memory, and large bodies in one turn of the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Quota, Reservation } from '../../platform/quota.ts';
import { LIMITS } from '../../proto/domain.ts';
import { ApiError, BODY_MIB_MAX, overloaded } from '../api/errors.ts';

export interface BodyReader {
  /**
   * Reads the whole body. The memory of a large one stays reserved until the result is disposed of.
   * @returns at most one large body in each turn of the event loop: parsing one takes up to 50 ms, and others proceed in between
   * @throws ApiError payload_too_large, request_timeout, invalid_json; server_error (503) at the limit of memory, in all or for the account
   */
  read(request: Request, accountId: string): Promise<Body>;
}

interface Body extends Disposable {
  bytes: Uint8Array;
}

interface BodyReaderOptions {
  timeoutMs: number;
  /** The memory of all large bodies, until their response. */
  bytes: Quota;
}

// A large body takes memory and a turn of its own. Smaller ones are parsed within half a millisecond, and never wait for memory.
const LARGE_BYTES = 64 * 1024;

export function createBodyReader({ timeoutMs, bytes: ofBodies }: BodyReaderOptions): BodyReader {
  let lastTurn: Promise<unknown> = Promise.resolve();

  /** Reserves memory as the bytes arrive, not as declared. */
  async function readChunks(body: ReadableStream<Uint8Array>, reserved: Reservation): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > LIMITS.bodyBytesMax) throw tooLarge();
      if (size > LARGE_BYTES && !reserved.raise(size)) throw overloaded();
    }
    return Buffer.concat(chunks);
  }

  return {
    async read(request, accountId) {
      const declared = request.headers.get('content-length');
      // Two headers arrive as one: "5, 5".
      if (declared !== null && !/^\d+$/.test(declared)) {
        throw new ApiError('invalid_json', 'Content-Length must be given once, as a whole number.');
      }
      if (Number(declared) > LIMITS.bodyBytesMax) throw tooLarge();
      const reserved = ofBodies.open(accountId);
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(tooLate(timeoutMs)), timeoutMs);
      try {
        // A body of declared length cannot grow.
        const isSmall = !request.body || (declared !== null && Number(declared) <= LARGE_BYTES);
        const reading = isSmall ? request.bytes() : readChunks(request.body, reserved);
        const bytes = await Promise.race([reading, late.promise]);
        if (bytes.length > LARGE_BYTES) {
          lastTurn = lastTurn.then(() => nextTurn());
          await lastTurn;
        }
        return { bytes, [Symbol.dispose]: reserved.close };
      } catch (error) {
        reserved.close();
        if (error instanceof ApiError) throw error;
        // The client has disconnected and reads no response. A client error keeps it out of the log of failures.
        throw new ApiError('invalid_json', 'The body ended early.');
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Closing the connection stops the rest of the body. */
function tooLate(timeoutMs: number): ApiError {
  const message = `The body did not arrive within ${timeoutMs / 1000} s: send fewer entries per request.`;
  return new ApiError('request_timeout', message, { headers: { connection: 'close' } });
}

/** The rest of the body is discarded. Closing the connection at once would cost some clients the response. */
function tooLarge(): ApiError {
  return new ApiError(
    'payload_too_large',
    `The body is larger than ${BODY_MIB_MAX} MiB: send fewer entries per request.`,
  );
}
