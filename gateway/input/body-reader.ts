/** Receiving a body: bounded in size, in time, in the memory of all bodies, and in how many arrive slowly. */
import { LIMITS } from '../../proto/vocabulary.ts';
import { ApiError, BODY_MIB_MAX, overloaded } from '../api/errors.ts';
import { createQuota, type Share } from './quota.ts';

export interface Bodies {
  /**
   * The whole body. Its memory counts as taken until it is disposed of.
   * @throws ApiError payload_too_large, request_timeout, invalid_json; server_error (503) when the bodies in flight take
   *   all the memory there is for them, or those of the account its share, or when too many arrive slowly
   */
  receive(request: Request, accountId: string): Promise<Body>;
  /** Bytes of the bodies that are larger than SMALL_BYTES_MAX. */
  held(): number;
}

export interface Body extends Disposable {
  bytes: Uint8Array;
}

export interface BodiesOptions {
  /** For the arrival of one body. */
  timeoutMs: number;
  /** Of all bodies that are held at the same time, those up to SMALL_BYTES_MAX aside. */
  bytesMax: number;
  /** Bodies that may take longer than SLOW_MS to arrive, at the same time. */
  slowMax: number;
}

/** What others send must not keep a body of this size out: its memory is bounded by the requests in flight alone. */
const SMALL_BYTES_MAX = 64 * 1024;
const SLOW_MS = 1_000;
const SLOW_PER_ACCOUNT_MAX = 16;

export function createBodies({ timeoutMs, bytesMax, slowMax }: BodiesOptions): Bodies {
  const memory = createQuota(bytesMax, Math.max(bytesMax / 4, LIMITS.bodyBytesMax));
  const slow = createQuota(slowMax, SLOW_PER_ACCOUNT_MAX);

  return {
    held: memory.taken,

    async receive(request, accountId) {
      const declared = request.headers.get('content-length');
      // Two of them come as one: "5, 5".
      if (declared !== null && !/^\d+$/.test(declared)) {
        throw new ApiError('invalid_json', 'Content-Length must be given once, as a whole number.');
      }
      if (Number(declared) > LIMITS.bodyBytesMax) throw tooLarge();
      const room = memory.open(accountId);
      try {
        // A body of declared length cannot grow.
        const isSmall = !request.body || (declared !== null && Number(declared) <= SMALL_BYTES_MAX);
        const arriving = isSmall ? request.bytes() : readChunks(request.body, room);
        const bytes = await inTime(arriving, slow.open(accountId), timeoutMs);
        return { bytes, [Symbol.dispose]: () => room.close() };
      } catch (error) {
        room.close();
        if (error instanceof ApiError) throw error;
        // The client is gone and reads no answer: this only keeps the failure from looking like one of the service.
        throw new ApiError('invalid_json', 'The body ended early.');
      }
    },
  };
}

async function readChunks(body: ReadableStream<Uint8Array>, room: Share): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > LIMITS.bodyBytesMax) throw tooLarge();
    if (size > SMALL_BYTES_MAX && !room.grow(size)) throw overloaded();
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, size);
}

/** Waits for a body: after SLOW_MS only if there is a place for it among those that are slow. */
async function inTime<Result>(arriving: Promise<Result>, place: Share, timeoutMs: number): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const slowMs = Math.min(SLOW_MS, timeoutMs);
  let timer = setTimeout(() => {
    if (!place.grow(1)) return late.reject(overloaded(CLOSING));
    timer = setTimeout(() => {
      const message = `The body did not arrive within ${timeoutMs / 1000} s: send fewer entries per request.`;
      late.reject(new ApiError('request_timeout', message, { headers: CLOSING }));
    }, timeoutMs - slowMs);
  }, slowMs);
  return Promise.race([arriving, late.promise]).finally(() => {
    clearTimeout(timer);
    place.close();
  });
}

// Ends what is still arriving.
const CLOSING = { connection: 'close' };

/** The rest is discarded as it comes. Closing the connection at once would cost some clients this answer. */
function tooLarge(): ApiError {
  return new ApiError(
    'payload_too_large',
    `The body is larger than ${BODY_MIB_MAX} MiB: send fewer entries per request.`,
  );
}
