/** Writes the responses of a call. Those of one turn of the event loop share a message. */
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type {
  ExecuteRequest__Output as ExecuteRequest,
  ExecuteResponse,
  LedgerResponse,
} from '../../proto/contract.ts';

export class ResponseWriter {
  readonly #call: ServerDuplexStream<ExecuteRequest, ExecuteResponse>;
  #ready: LedgerResponse[] = [];
  #expectedCount = 0;
  #isEnding = false;

  constructor(call: ServerDuplexStream<ExecuteRequest, ExecuteResponse>) {
    this.#call = call;
  }

  /** Must precede each call of `add`. */
  expect(): void {
    this.#expectedCount++;
  }

  add(response: LedgerResponse): void {
    this.#expectedCount--;
    if (this.#ready.push(response) === 1) setImmediate(() => this.#flush());
  }

  /** Ends the call after the last expected response. */
  end(): void {
    this.#isEnding = true;
    if (this.#expectedCount === 0 && this.#ready.length === 0) this.#call.end();
  }

  #flush(): void {
    const ready = this.#ready;
    this.#ready = [];
    if (this.#call.cancelled) return;
    for (const responses of messagesOf(ready)) this.#call.write({ responses });
    if (this.#isEnding && this.#expectedCount === 0) this.#call.end();
  }
}

// A single page or result can have nearly this size. The limit of a message is 8 MiB.
const JSON_BYTES_MAX = 1024 * 1024;

/** Splits responses into messages, so that several large ones stay below the limit of a message. */
function messagesOf(responses: readonly LedgerResponse[]): LedgerResponse[][] {
  const messages: LedgerResponse[][] = [[]];
  let bytes = 0;
  for (const response of responses) {
    const size =
      (response.listEntries?.page?.entriesJson ?? response.createEntries?.created?.resultJson)?.length ?? 0;
    if (bytes > 0 && bytes + size > JSON_BYTES_MAX) {
      messages.push([]);
      bytes = 0;
    }
    messages.at(-1)?.push(response);
    bytes += size;
  }
  return messages;
}
