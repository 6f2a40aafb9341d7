/** JSON bodies that Bun writes to the socket in one piece. */

// Bun holds back up to 16 KiB to send head and body together. A larger Buffer that a handler returns after an await is written
// header by header: about thirty system calls, and three quarters of the gateway's cost of a page of 200.
const BUFFERED_BYTES_MAX = 15_000;

/** A JSON response body; above 15,000 bytes it is chunked, without Content-Length. */
export function jsonResponse(body: Buffer, set: { headers: Record<string, unknown> }): Buffer | Response {
  set.headers['content-type'] = 'application/json;charset=utf-8';
  return body.length > BUFFERED_BYTES_MAX ? new Response(streamOf(body)) : body;
}

/** Bun sends the head of a stream together with its first chunk. */
function streamOf(body: Buffer): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(body);
      controller.close();
    },
  });
}
