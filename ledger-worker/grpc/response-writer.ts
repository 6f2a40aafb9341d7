/** Writes the responses of a call. Those of one turn of the event loop share a message. */
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type {
  ExecuteRequest__Output as ExecuteRequest,
  ExecuteResponse,
  LedgerResponse,
} from '../../proto/contract.ts';
import { ELEMENTS_MAX } from '../../proto/message-elements.ts';

/** The server side of a call of the RPC Execute. */
export type ExecuteCall = ServerDuplexStream<ExecuteRequest, ExecuteResponse>;

export class ResponseWriter {
  readonly #call: ExecuteCall;
  #ready: LedgerResponse[] = [];
  #expectedCount = 0;
  #isEnding = false;

  constructor(call: ExecuteCall) {
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
    for (const responses of messagesOf(ready)) {
      if (this.#call.cancelled || this.#call.destroyed) return;
      this.#call.write({ responses });
    }
    if (this.#isEnding && this.#expectedCount === 0) this.#call.end();
  }
}

// A single page or result can have nearly this size. The limit of a message is 8 MiB.
const MESSAGE_BYTES_MAX = 1024 * 1024;

/** Splits responses into messages, so that several large ones stay below the limit of a message. */
function messagesOf(responses: readonly LedgerResponse[]): LedgerResponse[][] {
  const messages: LedgerResponse[][] = [];
  let bytes = 0;
  for (const response of responses) {
    const last = messages.at(-1);
    bytes += sizeOf(response);
    if (last && last.length < ELEMENTS_MAX && bytes <= MESSAGE_BYTES_MAX) {
      last.push(response);
    } else {
      messages.push([response]);
      bytes = sizeOf(response);
    }
  }
  return messages;
}

// In memory, without its texts.
const OBJECT_BYTES = 256;

function sizeOf({ listEntries, createEntries, listSources }: LedgerResponse): number {
  const json = listEntries?.page?.entriesJson ?? createEntries?.created?.resultJson;
  const sources = listSources?.sources?.sources?.length ?? 0;
  return (1 + sources) * OBJECT_BYTES + (json?.length ?? 0);
}
