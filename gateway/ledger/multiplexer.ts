/** Questions to the worker: one call takes all that are asked while it is open, and each has its own answer. */
import { type ServiceError, status } from '@grpc/grpc-js';
import type { Attributes } from '@opentelemetry/api';
import type { Span } from '../../platform/tracing.ts';
import type {
  Answer__Output as Answer,
  AskCall,
  AskReply__Output as AskReply,
  LedgerClient,
  Question,
  QuestionName,
  ReplyOf,
  RequestOf,
} from '../../proto/client.ts';

export interface QuestionOptions {
  /** ms since the epoch. */
  deadline: number;
  /** Aborted when nobody waits for the answer any more. */
  gone?: AbortSignal | undefined;
}

/** There is no answer: `code` is a gRPC status. */
export class Unanswered extends Error {
  constructor(
    readonly code: status,
    details: string,
  ) {
    super(details);
  }
}

interface Asked {
  question: Question;
  /** Of the entries that it carries. */
  bytes: number;
  answer: PromiseWithResolvers<Answer>;
  isSettled: boolean;
  /** Once it was sent. */
  call?: Call;
  index?: number;
}

type Client = Pick<LedgerClient, 'ask'>;

export class Questions {
  readonly #client: Client;
  #waiting: Asked[] = [];
  #call: Call | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * @param span of this question, where it is part of a trace
   * @throws Unanswered, also when its time is up and when nobody waits any more
   */
  async ask<Name extends QuestionName>(
    name: Name,
    request: RequestOf<Name>,
    { deadline, gone }: QuestionOptions,
    span?: Span,
  ): Promise<ReplyOf<Name>> {
    const timeoutMs = Math.max(1, Math.ceil(deadline - Date.now()));
    const asked: Asked = {
      question: { [name]: request, timeoutMs, ...(span && { trace: span.context() }) },
      bytes: (request as { entriesJson?: Uint8Array }).entriesJson?.length ?? 0,
      answer: Promise.withResolvers(),
      isSettled: false,
    };
    // All that arrives together is asked together.
    if (this.#waiting.push(asked) === 1) setImmediate(() => this.#send());

    const late = () => {
      settle(asked).reject(new Unanswered(status.DEADLINE_EXCEEDED, 'no answer in time'));
      asked.call?.withdrawLate(asked);
    };
    const leave = () => {
      settle(asked).reject(new Unanswered(status.CANCELLED, 'nobody waits any more'));
      asked.call?.withdraw(asked);
    };
    const timer = setTimeout(late, timeoutMs);
    gone?.addEventListener('abort', leave, { once: true });
    try {
      const answer = await asked.answer.promise;
      if (answer.failure) throw new Unanswered(answer.failure.code, answer.failure.details);
      const reply = answer[name];
      if (!reply) throw new Unanswered(status.INTERNAL, 'the answer is that to another question');
      return reply as ReplyOf<Name>;
    } finally {
      clearTimeout(timer);
      gone?.removeEventListener('abort', leave);
      if (asked.call) span?.set(asked.call.peer());
    }
  }

  #send(): void {
    const waiting = this.#waiting.filter(({ isSettled }) => !isSettled);
    this.#waiting = [];
    for (let from = 0; from < waiting.length; ) {
      const to = endOfMessage(waiting, from);
      const questions = waiting.slice(from, to);
      try {
        if (!this.#call?.isOpen) this.#call = new Call(this.#client.ask());
        this.#call.send(questions);
      } catch (error) {
        for (const asked of questions) {
          settle(asked).reject(new Unanswered(status.UNAVAILABLE, (error as Error).message));
        }
      }
      from = to;
    }
  }
}

// A call costs as much as several questions. The next one goes to the next worker: so the load is shared out, and a worker
// that is about to end gets no more questions soon.
const OPEN_MS = 100;

class Call {
  readonly #call: AskCall;
  readonly #unanswered = new Map<number, Asked>();
  #asked = 0;
  readonly #timer: Timer;
  /** The worker has said something. */
  #isHeard = false;
  /** No question was withdrawn. */
  #isWhole = true;
  /** For more questions. */
  isOpen = true;

  constructor(call: AskCall) {
    this.#call = call;
    call.on('data', ({ answers }: AskReply) => this.#take(answers));
    call.on('error', ({ code, message }: ServiceError) => this.#fail(code, message));
    call.on('end', () => this.#fail(status.INTERNAL, 'the worker left the question out'));
    this.#timer = setTimeout(() => this.#close(), OPEN_MS);
  }

  send(questions: readonly Asked[]): void {
    for (const asked of questions) {
      asked.call = this;
      asked.index = this.#asked++;
      this.#unanswered.set(asked.index, asked);
    }
    this.#call.write({ questions: questions.map(({ question }) => question) });
  }

  /** The worker that it went to, as attributes of a span; none without a connection: then there is only a name. */
  peer(): Attributes {
    const [, address, port] = /^\[?([\d.]+|[\da-f:]+)\]?:(\d+)$/.exec(this.#call.getPeer()) ?? [];
    return address ? { 'network.peer.address': address, 'network.peer.port': Number(port) } : {};
  }

  /** Nobody waits for the answer any more. */
  withdraw({ index = -1 }: Asked): void {
    if (!this.#unanswered.delete(index)) return;
    this.#isWhole = false;
    this.#call.write({ withdrawn: [index] });
    this.#endIfDone();
  }

  /** Its time is up. */
  withdrawLate(asked: Asked): void {
    if (this.#isHeard) {
      this.withdraw(asked);
      return;
    }
    // It may still wait for a connection, and must not be taken for a new question by a worker that comes back.
    this.#unanswered.delete(asked.index ?? -1);
    this.isOpen = false;
    this.#call.cancel();
  }

  #take(answers: readonly Answer[]): void {
    this.#isHeard = true;
    for (const answer of answers) {
      const asked = this.#unanswered.get(answer.index);
      if (asked === undefined) continue;
      this.#unanswered.delete(answer.index);
      settle(asked).resolve(answer);
      // Another worker may do better.
      if (answer.failure) this.isOpen = false;
    }
    this.#endIfDone();
  }

  #close(): void {
    this.isOpen = false;
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.isOpen || this.#unanswered.size > 0 || this.#call.writableEnded) return;
    clearTimeout(this.#timer);
    // A worker that left questions without an answer may never end the call.
    if (this.#isWhole) this.#call.end();
    else this.#call.cancel();
  }

  #fail(code: status, details: string): void {
    this.isOpen = false;
    clearTimeout(this.#timer);
    for (const asked of this.#unanswered.values()) settle(asked).reject(new Unanswered(code, details));
    this.#unanswered.clear();
  }
}

// More of them, or larger ones, gain nothing from company.
const QUESTIONS_MAX = 64;
const BYTES_MAX = 64 * 1024;

/** Where the message ends that begins with the question at `from`. */
function endOfMessage(questions: readonly Asked[], from: number): number {
  let bytes = 0;
  let to = from;
  do {
    bytes += questions[to]?.bytes ?? 0;
    to++;
  } while (
    to < questions.length &&
    to - from < QUESTIONS_MAX &&
    bytes + (questions[to]?.bytes ?? 0) <= BYTES_MAX
  );
  return to;
}

function settle(asked: Asked): PromiseWithResolvers<Answer> {
  asked.isSettled = true;
  return asked.answer;
}
