/**
 * Audits the outcome of every request: a fault must allow each failure, each 4xx needs its reason, and nothing succeeds
 * without access.
 */
import { affects, failed, type Request, succeeded } from '../history.ts';
import type { Evidence, Violation } from './audit.ts';

export function auditOutcomes({ history, allowedFailures }: Evidence): Violation[] {
  const lossesOf = (request: Request) => history.accessLosses.filter((loss) => affects(loss, request));

  const isExpected = (request: Request) => {
    const { outcome, refused, begun, ended } = request;
    if (outcome === 'abandoned') return true;
    if (failed(request)) {
      return allowedFailures.some(
        ({ from, to, outcomes }) => begun < to && ended > from && outcomes.includes(outcome),
      );
    }
    const hasLostAccess = lossesOf(request).some(
      (loss) => loss.code === refused && loss.begun < ended && loss.restored > begun,
    );
    if (hasLostAccess) return true;
    // The other parts of the audit check whether the limit was reached.
    if (refused === 'rate_limited') return true;
    if (request.kind !== 'write') return false;
    return refused === 'daily_cap' || (refused === 'invalid_category' && request.invalid);
  };

  return history.requests.flatMap((request): Violation[] => {
    const { kind, gateway, outcome, refused = '', begun, ended, accountId, name, keyId } = request;
    const found = (rule: Violation['rule'], what: string): Violation[] => {
      const text = `${kind} ${name} with the key ${keyId} to ${gateway} from ${Math.round(begun)} to ${Math.round(ended)} ms: ${outcome} ${refused}, ${what}`;
      return [{ rule, text, accountId }];
    };
    if (!succeeded(request)) return isExpected(request) ? [] : found('failed request', 'without a reason');
    if (contradictsItself(request)) return found('wrong response', JSON.stringify(request.response));
    const without = lossesOf(request).find((loss) => begun > loss.ended && ended < loss.restoring);
    return without ? found('lost access', `after the loss of the ${without.what}`) : [];
  });
}

/** Whether a success is wrong whatever the books are. */
function contradictsItself(request: Request): boolean {
  if (request.kind === 'me') return request.response?.accountId !== request.accountId;
  if (request.kind !== 'write') return request.response === undefined;
  const { response, outcome, invalid } = request;
  return response === undefined || invalid || (outcome === 201) !== response.created > 0;
}
