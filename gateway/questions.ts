/** Questions to the worker: those of one turn of the event loop go in one call, and each has its own answer. */
import { type ServiceError, status } from '@grpc/grpc-js';
import type {
  Answer__Output as Answer,
  createLedgerClient,
  Question,
  QuestionName,
  ReplyOf,
  RequestOf,
} from '../proto/ledger.ts';

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
  deadline: number;
  answer: PromiseWithResolvers<Answer>;
  isSettled: boolean;
  call?: Call;
}

interface Call {
  questions: readonly Asked[];
  cancel: AbortController;
}

// More of them, or larger ones, gain nothing from company.
const QUESTIONS_MAX = 64;
const BYTES_MAX = 64 * 1024;

export class Questions {
  readonly #client: Pick<ReturnType<typeof createLedgerClient>, 'ask'>;
  #waiting: Asked[] = [];

  constructor(client: Pick<ReturnType<typeof createLedgerClient>, 'ask'>) {
    this.#client = client;
  }

  /** @throws Unanswered, also when its time is up and when nobody waits any more */
  async ask<Name extends QuestionName>(
    name: Name,
    request: RequestOf<Name>,
    { deadline, gone }: QuestionOptions,
  ): Promise<ReplyOf<Name>> {
    const timeoutMs = Math.max(1, deadline - Date.now());
    const asked: Asked = {
      question: { [name]: request, timeoutMs: Math.ceil(timeoutMs) },
      bytes: (request as { entriesJson?: Uint8Array }).entriesJson?.length ?? 0,
      deadline,
      answer: Promise.withResolvers(),
      isSettled: false,
    };
    // All that arrives together is asked together.
    if (this.#waiting.push(asked) === 1) setImmediate(() => this.#send());

    const late = () => giveUp(asked, new Unanswered(status.DEADLINE_EXCEEDED, 'no answer in time'));
    const leave = () => giveUp(asked, new Unanswered(status.CANCELLED, 'nobody waits any more'));
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
    }
  }

  #send(): void {
    const waiting = this.#waiting.filter(({ isSettled }) => !isSettled);
    this.#waiting = [];
    for (let from = 0; from < waiting.length; ) {
      const to = endOfCall(waiting, from);
      void this.#call(waiting.slice(from, to));
      from = to;
    }
  }

  async #call(questions: readonly Asked[]): Promise<void> {
    const call: Call = { questions, cancel: new AbortController() };
    for (const asked of questions) asked.call = call;
    const request = { questions: questions.map(({ question }) => question) };
    // It ends with the last of those who wait.
    const deadline = Math.max(...questions.map((asked) => asked.deadline));
    try {
      await this.#client.ask(request, { deadline, signal: call.cancel.signal }, ({ answers }) => {
        for (const answer of answers) {
          const asked = questions[answer.index];
          if (asked) settle(asked).resolve(answer);
        }
      });
      throw new Unanswered(status.INTERNAL, 'the worker left the question out');
    } catch (error) {
      const { code, message } = error as ServiceError;
      for (const asked of questions) settle(asked).reject(new Unanswered(code, message));
    }
  }
}

/** Where the call ends that begins with the question at `from`. */
function endOfCall(questions: readonly Asked[], from: number): number {
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

function giveUp(asked: Asked, error: Unanswered): void {
  settle(asked).reject(error);
  if (asked.call?.questions.every(({ isSettled }) => isSettled)) asked.call.cancel.abort();
}
