/** The RPC Ask as one question after the other, from the first to the last answer. */
import type { Answer__Output as Answer, AskCall, LedgerClient, Question } from '../proto/ledger.ts';

interface AskOptions {
  /** The answers of one message. */
  onAnswers?: (answers: readonly Answer[]) => void;
  /** With the call, once the questions are sent. Who takes it ends it. */
  onCall?: (call: AskCall) => void;
}

/** Asks all in one message. @returns the answers in the order in which they came. @throws grpc-js's ServiceError */
export function askAll(
  { ask }: Pick<LedgerClient, 'ask'>,
  questions: readonly Question[],
  { onAnswers = () => {}, onCall = (call) => call.end() }: AskOptions = {},
): Promise<Answer[]> {
  const came: Answer[] = [];
  return new Promise((resolve, reject) => {
    const call = ask();
    call.on('data', ({ answers }) => {
      came.push(...answers);
      onAnswers(answers);
    });
    call.once('end', () => resolve(came));
    call.once('error', reject);
    call.write({ questions: questions.map((question) => ({ timeoutMs: 10_000, ...question })) });
    onCall(call);
  });
}
