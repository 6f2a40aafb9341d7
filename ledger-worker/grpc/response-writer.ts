/** Writes the responses of a call. Those of one turn of the event loop share a message. */
import type { LedgerResponse } from '../../proto/contract.ts';
import { ELEMENTS_MAX } from '../../proto/message-elements.ts';
import type { ExecuteCall, UnreadResponses } from './unread-responses.ts';

export class ResponseWriter {
  readonly #call: ExecuteCall;
  readonly #unread: UnreadResponses;
  #ready: LedgerResponse[] = [];
  #expectedCount = 0;
  #isEnding = false;

  constructor(call: ExecuteCall, unread: UnreadResponses) {
    this.#call = call;
    this.#unread = unread;
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
    for (const { responses, bytes } of messagesOf(ready)) {
      if (this.#call.cancelled || this.#call.destroyed) return;
      this.#unread.add(this.#call, bytes);
      this.#call.write({ responses }, () => this.#unread.remove(this.#call, bytes));
    }
    if (this.#isEnding && this.#expectedCount === 0) this.#call.end();
  }
}

interface Message {
  responses: LedgerResponse[];
  bytes: number;
}

// A single page or result can have nearly this size. The limit of a message is 8 MiB.
const MESSAGE_BYTES_MAX = 1024 * 1024;

/** Splits responses into messages, so that several large ones stay below the limit of a message. */
function messagesOf(responses: readonly LedgerResponse[]): Message[] {
  const messages: Message[] = [];
  for (const response of responses) {
    const bytes = sizeOf(response);
    const last = messages.at(-1);
    if (last && last.responses.length < ELEMENTS_MAX && last.bytes + bytes <= MESSAGE_BYTES_MAX) {
      last.responses.push(response);
      last.bytes += bytes;
    } else {
      messages.push({ responses: [response], bytes });
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
