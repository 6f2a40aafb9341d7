/** JSON bodies that Bun writes to the socket in one piece. Large ones are compressed, or count until their clients have read them. */
import type { Reservation } from '../../platform/quota.ts';
import { overloaded } from '../api/errors.ts';
import { acceptsGzip, varyByEncoding } from '../http/content-coding.ts';
import type { Quotas } from '../http/quotas.ts';
import type { Caller } from '../http/request-context.ts';

// Bun holds back up to 16 KiB to send head and body together. A larger Buffer that a handler returns after an await is written
// header by header: about thirty system calls, and three quarters of the gateway's cost of a page of 200.
const BUFFERED_BYTES_MAX = 15_000;
// A page of 200 in 0.1 ms, from 45 to 8 KB. Level 6 takes ten times as long, for 7 KB.
const GZIP = { library: 'libdeflate', level: 1 } as const;
// The result of a write has at most three times the size of its body: it repeats each reference.
const RESULT_RATIO_MAX = 3.5;

interface Recipient {
  caller: Caller;
  request: Request;
  set: { headers: Record<string, unknown> };
  quotas: Quotas;
}

/** @throws ApiError server_error (503) for a large body if the account, or all together, have left too many bytes unread */
export function jsonResponse(json: Buffer<ArrayBuffer>, to: Recipient): Buffer | Response {
  const { request, set } = to;
  const isLarge = json.length > BUFFERED_BYTES_MAX;
  const isCompressed = isLarge && acceptsGzip(request.headers.get('accept-encoding'));
  const body = isCompressed ? gzip(json) : json;
  const response = respond(body, to, (reservation) => {
    if (!reservation.raise(body.length)) throw overloaded();
  });
  // Not before: an error would have the headers too.
  if (isLarge) set.headers.vary = varyByEncoding(set.headers.vary);
  if (isCompressed) set.headers['content-encoding'] = 'gzip';
  return response;
}

function gzip(json: Buffer<ArrayBuffer>): Buffer {
  const { buffer, byteOffset, length } = Bun.gzipSync(json, GZIP);
  return Buffer.from(buffer, byteOffset, length);
}

/** The response to a write. Never refused: the write is done. */
export function writeResponse(body: Buffer, to: Recipient): Buffer | Response {
  return respond(body, to, (reservation) => reservation.force(body.length));
}

/** Refuses a write that may have a large response before it is done. @throws as jsonResponse */
export function requireResponseBudget(
  { accountId }: Caller,
  { unreadBytes }: Quotas,
  bodyBytes: number,
): void {
  if (bodyBytes * RESULT_RATIO_MAX > BUFFERED_BYTES_MAX && !unreadBytes.isWithin(accountId))
    throw overloaded();
}

function respond(
  body: Buffer,
  { caller, request, set, quotas }: Recipient,
  reserve: (reservation: Reservation) => void,
): Buffer | Response {
  set.headers['content-type'] = 'application/json;charset=utf-8';
  if (body.length <= BUFFERED_BYTES_MAX) return body;
  const reservation = quotas.unreadBytes.open(caller.accountId);
  reserve(reservation);
  return new Response(streamOf(body, request.signal, reservation.close));
}

/** Bun sends the head of a stream together with its first chunk, and pulls again when the client has read that. */
function streamOf(body: Buffer, signal: AbortSignal, close: () => void): ReadableStream {
  let unsent: Buffer | undefined = body;
  // A stream is neither pulled nor cancelled if the client disconnected before.
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });
  return new ReadableStream(
    {
      pull(controller) {
        if (unsent) {
          controller.enqueue(unsent);
          unsent = undefined;
          return;
        }
        controller.close();
        close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
