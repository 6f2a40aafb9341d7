/** The RPC Ask: one question after the other in one call, each answered as soon as its answer is there. */
import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import type { Logger } from 'pino';
import { endRpc, rpcSpan, type Tracing } from '../../platform/tracing.ts';
import type {
  Answer,
  AskReply,
  AskRequest__Output as AskRequest,
  CallContext,
  LedgerHandlers,
  Question__Output as Question,
} from '../../proto/client.ts';
import type { Metrics } from '../metrics.ts';
import type { Door } from './concurrency-limit.ts';
import { toStatus } from './status.ts';

// A timer that is to wait longer does not wait at all.
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

type Handler = (request: unknown, call: CallContext) => Promise<object>;

/** Answers each question by its handler, within the limit of calls in flight. */
export function answerQuestions(
  handlers: LedgerHandlers,
  door: Door,
  metrics: Metrics,
  tracing: Tracing | undefined,
  log: Logger,
) {
  async function answer(question: Question, context: CallContext): Promise<Answer> {
    const name = question.question;
    // Of a gateway that is newer.
    if (!name) return { failure: { code: status.UNIMPLEMENTED, details: 'unknown question' } };
    const begun = performance.now();
    const span = question.trace ? tracing?.startSpan(...rpcSpan(name), question.trace) : undefined;
    if (span) context.span = span;
    const answered = (code: status) => {
      metrics.callAnswered(name, code, (performance.now() - begun) / 1000);
      endRpc(span, code, 'server');
    };
    try {
      const handler = handlers[name] as Handler;
      const reply = await door.enter(() => handler(question[name], context));
      answered(status.OK);
      return { [name]: reply };
    } catch (error) {
      const failure = toStatus(error, name, span ? log.child({ traceId: span.traceId }) : log);
      answered(failure.code);
      return { failure };
    }
  }

  return (call: ServerDuplexStream<AskRequest, AskReply>) => {
    const replies = new Replies(call);
    const underWay = new Map<number, AbortController>();
    let asked = 0;

    function take(question: Question): void {
      const index = asked++;
      const abort = new AbortController();
      const timeoutMs = Math.min(question.timeoutMs, TIMEOUT_MS_MAX);
      const deadline = Date.now() + timeoutMs;
      const timer = setTimeout(() => abort.abort(), timeoutMs);
      underWay.set(index, abort);
      replies.expect();
      const context = { cancelled: abort.signal, remainingMs: () => deadline - Date.now() };
      void answer(question, context).then((answer) => {
        clearTimeout(timer);
        underWay.delete(index);
        replies.add({ index, ...answer });
      });
    }

    call.on('data', ({ questions, withdrawn }: AskRequest) => {
      for (const question of questions) take(question);
      for (const index of withdrawn) underWay.get(index)?.abort();
    });
    call.on('end', () => replies.end());
    call.on('cancelled', () => {
      for (const abort of underWay.values()) abort.abort();
    });
  };
}

/** Answers on their way back: those of one turn of the event loop in one message. */
class Replies {
  readonly #call: ServerDuplexStream<AskRequest, AskReply>;
  #ready: Answer[] = [];
  #expected = 0;
  /** No more questions come. */
  #isLast = false;

  constructor(call: ServerDuplexStream<AskRequest, AskReply>) {
    this.#call = call;
  }

  expect(): void {
    this.#expected++;
  }

  add(answer: Answer): void {
    this.#expected--;
    if (this.#ready.push(answer) === 1) setImmediate(() => this.#send());
  }

  /** Once all that are expected were sent. */
  end(): void {
    this.#isLast = true;
    if (this.#expected === 0 && this.#ready.length === 0) this.#call.end();
  }

  #send(): void {
    const ready = this.#ready;
    this.#ready = [];
    if (this.#call.cancelled) return;
    for (const answers of messages(ready)) this.#call.write({ answers });
    if (this.#isLast && this.#expected === 0) this.#call.end();
  }
}

// A page alone can have nearly this size; what a message may have is far above it.
const PAGES_BYTES_MAX = 1024 * 1024;

/** One message, or several where their pages are large. */
function messages(answers: readonly Answer[]): Answer[][] {
  const messages: Answer[][] = [[]];
  let bytes = 0;
  for (const answer of answers) {
    const size = answer.listEntries?.page?.entriesJson?.length ?? 0;
    if (bytes > 0 && bytes + size > PAGES_BYTES_MAX) {
      messages.push([]);
      bytes = 0;
    }
    messages.at(-1)?.push(answer);
    bytes += size;
  }
  return messages;
}
