/** Limits the memory of responses that gateways do not read. */
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import type { ExecuteRequest__Output as ExecuteRequest, ExecuteResponse } from '../../proto/contract.ts';

/** The server side of a call of the RPC Execute. */
export type ExecuteCall = ServerDuplexStream<ExecuteRequest, ExecuteResponse>;

// Of all calls together: seventy of the largest pages.
const BYTES_MAX = 64 * 1024 * 1024;
// An error code of HTTP/2.
const ENHANCE_YOUR_CALM = 0xb;

export class UnreadResponses {
  readonly #bytesOfCall = new Map<ExecuteCall, number>();
  #bytes = 0;
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Of all calls. */
  bytes(): number {
    return this.#bytes;
  }

  /** Beyond the limit, the call that holds most is ended. */
  add(call: ExecuteCall, bytes: number): void {
    this.#bytes += bytes;
    this.#bytesOfCall.set(call, (this.#bytesOfCall.get(call) ?? 0) + bytes);
    if (this.#bytes > BYTES_MAX) this.#endLargest();
  }

  /** The peer has taken them. Does nothing after `delete`. */
  remove(call: ExecuteCall, bytes: number): void {
    const held = this.#bytesOfCall.get(call);
    if (held === undefined) return;
    this.#bytes -= bytes;
    this.#bytesOfCall.set(call, held - bytes);
  }

  /** The call has ended. */
  delete(call: ExecuteCall): void {
    this.#bytes -= this.#bytesOfCall.get(call) ?? 0;
    this.#bytesOfCall.delete(call);
  }

  #endLargest(): void {
    let [largest, most] = [undefined as ExecuteCall | undefined, 0];
    for (const [call, bytes] of this.#bytesOfCall) if (bytes > most) [largest, most] = [call, bytes];
    if (!largest) return;
    this.#log.warn(
      { peer: largest.getPeer(), bytes: most },
      'a peer does not read its responses: its call is ended',
    );
    this.delete(largest);
    reset(largest);
  }
}

/** The caller gets RESOURCE_EXHAUSTED. grpc-js itself would first send what the peer does not read. */
function reset(call: ExecuteCall): void {
  const { stream } = (call as unknown as { call: { stream: { close(code: number): void } } }).call;
  stream.close(ENHANCE_YOUR_CALM);
}
