/** Receiving a body: bounded in size, in time, and in the memory that all bodies take together. */
import { LIMITS } from '../proto/vocabulary.ts';
import { ApiError, BODY_MIB_MAX, overloaded } from './errors.ts';

export interface Bodies {
  /**
   * The whole body. Its memory counts as taken until it is disposed of.
   * @throws ApiError payload_too_large, request_timeout, invalid_json; server_error (503) when the bodies under way take
   *   all the memory there is for them, or those of the account its share
   */
  receive(request: Request, accountId: string): Promise<Body>;
  /** Bytes that are taken now. */
  held(): number;
}

export interface Body extends Disposable {
  bytes: Uint8Array;
}

export interface BodiesOptions {
  /** For the arrival of one body. */
  timeoutMs: number;
  /** Of all bodies that are held at the same time. */
  bytesMax: number;
}

export function createBodies({ timeoutMs, bytesMax }: BodiesOptions): Bodies {
  // What one account sends slowly must not keep the others out.
  const shareMax = Math.max(bytesMax / 4, LIMITS.bodyBytesMax);
  const shares = new Map<string, number>();
  let held = 0;

  function hold(accountId: string) {
    let own = 0;
    const add = (bytes: number) => {
      const share = (shares.get(accountId) ?? 0) + bytes;
      if (share > 0) shares.set(accountId, share);
      else shares.delete(accountId);
      held += bytes;
      own += bytes;
    };
    return {
      take(bytes: number) {
        const share = shares.get(accountId) ?? 0;
        if (held + bytes > bytesMax || share + bytes > shareMax) throw overloaded();
        add(bytes);
      },
      release: () => add(-own),
    };
  }

  return {
    held: () => held,

    async receive(request, accountId) {
      const declared = request.headers.get('content-length');
      // Two of them come as one: "5, 5".
      if (declared !== null && !/^\d+$/.test(declared)) {
        throw new ApiError('invalid_json', 'Content-Length must be given once, as a whole number.');
      }
      if (Number(declared) > LIMITS.bodyBytesMax) throw tooLarge();
      const room = hold(accountId);
      try {
        // A body of declared length cannot grow; one sent in chunks is counted as it comes.
        if (declared !== null) room.take(Number(declared));
        const arriving =
          declared !== null || !request.body ? request.bytes() : readChunks(request.body, room.take);
        const bytes = await inTime(arriving, timeoutMs);
        return { bytes, [Symbol.dispose]: room.release };
      } catch (error) {
        room.release();
        if (error instanceof ApiError) throw error;
        // Nobody is left to read this answer; it only keeps a client's hanging up from looking like a fault of ours.
        throw new ApiError('invalid_json', 'The body ended early.');
      }
    },
  };
}

async function readChunks(
  body: ReadableStream<Uint8Array>,
  take: (bytes: number) => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > LIMITS.bodyBytesMax) throw tooLarge();
    take(chunk.byteLength);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

async function inTime<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const message = `The body did not arrive within ${timeoutMs / 1000} s: send fewer entries per request.`;
    // Closing the connection ends what is still arriving.
    late.reject(new ApiError('request_timeout', message, { headers: { connection: 'close' } }));
  }, timeoutMs);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** The rest is discarded as it comes. Closing the connection at once would cost some clients this answer. */
function tooLarge(): ApiError {
  return new ApiError(
    'payload_too_large',
    `The body is larger than ${BODY_MIB_MAX} MiB: send fewer entries per request.`,
  );
}
