/** Reads request bodies within limits: size, time, memory of all bodies, and number of slow bodies. */
import type { HeldCounts } from '../../platform/metrics.ts';
import { inTurns } from '../../platform/turns.ts';
import { LIMITS } from '../../proto/vocabulary.ts';
import { ApiError, BODY_MIB_MAX, overloaded } from '../api/errors.ts';
import { createQuota, type Reservation } from '../http/quota.ts';
import { freeBytes } from './free-bytes.ts';
import { SMALL_BYTES_MAX } from './large-bodies.ts';

export interface BodyReader {
  /**
   * Reads the whole body. Its memory stays reserved until the result is disposed of.
   * @throws ApiError payload_too_large, request_timeout, invalid_json; server_error (503) at the limit of memory or of slow
   *   bodies, in all or for the account
   */
  read(request: Request, accountId: string): Promise<Body>;
  /** Bytes held of large bodies. */
  bytesHeld(): number;
  held: HeldCounts;
}

export interface Body extends Disposable {
  bytes: Uint8Array;
}

export interface BodyReaderOptions {
  /** For one body. */
  timeoutMs: number;
  /** For all large bodies together. */
  bytesMax: number;
  /** Concurrent bodies that take longer than SLOW_MS. */
  slowMax: number;
}

// A part of the memory is left to bodies of common size: 500 entries with the longest texts in ASCII have half of this.
const HUGE_BYTES = 1024 * 1024;
const HUGE_SHARE_MAX = 0.75;
const SLOW_MS = 1_000;
const SLOW_PER_ACCOUNT_MAX = 16;

export function createBodyReader({ timeoutMs, bytesMax, slowMax }: BodyReaderOptions): BodyReader {
  const memory = createQuota(bytesMax, Math.max(bytesMax / 4, LIMITS.bodyBytesMax));
  const hugeBytesMax = Math.max(bytesMax * HUGE_SHARE_MAX, LIMITS.bodyBytesMax);
  const slowBodies = createQuota(slowMax, SLOW_PER_ACCOUNT_MAX);

  return {
    bytesHeld: memory.used,
    held: {
      body_accounts: memory.accounts,
      slow_bodies: slowBodies.used,
      slow_body_accounts: slowBodies.accounts,
    },

    async read(request, accountId) {
      const declared = request.headers.get('content-length');
      // Two headers arrive as one: "5, 5".
      if (declared !== null && !/^\d+$/.test(declared)) {
        throw new ApiError('invalid_json', 'Content-Length must be given once, as a whole number.');
      }
      if (Number(declared) > LIMITS.bodyBytesMax) throw tooLarge();
      const reserved = memory.open(accountId);
      try {
        // A body of declared length cannot grow.
        const isSmall = !request.body || (declared !== null && Number(declared) <= SMALL_BYTES_MAX);
        const reading = isSmall ? request.bytes() : readChunks(request.body, reserved, hugeBytesMax);
        const bytes = await withTimeout(reading, slowBodies.open(accountId), timeoutMs);
        return { bytes, [Symbol.dispose]: () => reserved.close() };
      } catch (error) {
        reserved.close();
        if (error instanceof ApiError) throw error;
        // The client has disconnected and reads no response. A client error keeps it out of the log of failures.
        throw new ApiError('invalid_json', 'The body ended early.');
      }
    },
  };
}

async function readChunks(
  body: ReadableStream<Uint8Array>,
  reserved: Reservation,
  hugeBytesMax: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > LIMITS.bodyBytesMax) throw tooLarge();
      const totalMax = size > HUGE_BYTES ? hugeBytesMax : undefined;
      if (size > SMALL_BYTES_MAX && !reserved.raise(size, totalMax)) throw overloaded();
    }
  } catch (error) {
    // Refused bodies come faster than garbage collections.
    chunks.forEach(freeBytes);
    throw error;
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : inTurns(joined(chunks, size));
}

/** Yields after each chunk. */
function* joined(chunks: readonly Uint8Array[], size: number): Generator<void, Uint8Array> {
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
    freeBytes(chunk);
    yield;
  }
  return bytes;
}

/** Waits for a body. After SLOW_MS that takes a reservation among the slow bodies. */
async function withTimeout<Result>(
  reading: Promise<Result>,
  slow: Reservation,
  timeoutMs: number,
): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const slowMs = Math.min(SLOW_MS, timeoutMs);
  let timer = setTimeout(() => {
    if (!slow.raise(1)) return late.reject(overloaded(CLOSE_CONNECTION));
    timer = setTimeout(() => {
      const message = `The body did not arrive within ${timeoutMs / 1000} s: send fewer entries per request.`;
      late.reject(new ApiError('request_timeout', message, { headers: CLOSE_CONNECTION }));
    }, timeoutMs - slowMs);
  }, slowMs);
  return Promise.race([reading, late.promise]).finally(() => {
    clearTimeout(timer);
    slow.close();
  });
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
