/** The audit of a round: a pure function of the history, the rows of its accounts and the failures that the faults allow. */
import type { Books } from '../books.ts';
import { affects, failed, type History, lineOf, type Outcome, type Request, succeeded } from '../history.ts';
import { checkLinearizability } from '../linearizability/check.ts';

/** Outcomes that are allowed for requests in flight during a time span. */
export interface AllowedFailure {
  from: number;
  to: number;
  outcomes: readonly Outcome[];
}

export interface Evidence {
  history: History;
  books: Books;
  allowedFailures: AllowedFailure[];
}

export interface Violation {
  rule: 'not linearizable' | 'lost access' | 'wrong response' | 'failed request' | 'out of service';
  text: string;
}

export function audit({ history, books, allowedFailures }: Evidence): Violation[] {
  const accountIds = new Set(books.sources.map(({ accountId }) => accountId));
  const ledgers = [...accountIds].flatMap((id): Violation[] => {
    const own = <Item extends { accountId: string }>(items: readonly Item[]) =>
      items.filter(({ accountId }) => accountId === id);
    const { rows, writes, sources } = books;
    const found = checkLinearizability(own(history.requests), {
      rows: own(rows),
      writes: own(writes),
      sources: own(sources),
    });
    return found.map((text) => ({ rule: 'not linearizable', text }));
  });
  return [
    ...ledgers,
    ...history.requests.flatMap((request) => auditOutcome(request, history, allowedFailures)),
  ];
}

/** A fault must allow each failure, each 4xx needs its reason, and nothing succeeds without access. */
function auditOutcome(request: Request, history: History, allowedFailures: AllowedFailure[]): Violation[] {
  const { outcome, refused, begun, ended } = request;
  const losses = history.accessLosses.filter((loss) => affects(loss, request));
  const found = (rule: Violation['rule'], what: string) => [{ rule, text: `${lineOf(request)}, ${what}` }];
  if (succeeded(request)) {
    if (contradictsItself(request)) return found('wrong response', JSON.stringify(request.response));
    const without = losses.find((loss) => begun > loss.ended && ended < loss.restoring);
    return without ? found('lost access', `after the loss of the ${without.what}`) : [];
  }
  const isAllowed = failed(request)
    ? outcome === 'abandoned' ||
      allowedFailures.some(
        ({ from, to, outcomes }) => begun < to && ended > from && outcomes.includes(outcome),
      )
    : losses.some((loss) => loss.code === refused && loss.begun < ended && loss.restored > begun) ||
      // Whether the cap was reached is checked with the writes. No client uses up the minute of a key.
      (request.kind === 'write' &&
        (refused === 'daily_cap' || (refused === 'invalid_category' && request.invalid)));
  return isAllowed ? [] : found('failed request', 'without a reason');
}

/** Whether a success is wrong whatever the books are. */
function contradictsItself(request: Request): boolean {
  if (request.kind === 'me') return request.response?.accountId !== request.accountId;
  if (request.kind !== 'write') return request.response === undefined;
  const { response, outcome, invalid } = request;
  return response === undefined || invalid || (outcome === 201) !== response.created > 0;
}
