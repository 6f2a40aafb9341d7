/** Audits the outcome of every request: a fault must allow each failure, and each 4xx needs its reason. */
import { affects, failed, type Outcome, type Request, succeeded } from '../history.ts';
import type { Evidence, Violation } from './audit.ts';

/** Outcomes that are allowed for requests in flight during a time span. */
export interface AllowedFailure {
  from: number;
  to: number;
  outcomes: readonly Outcome[];
}

export function auditOutcomes({ history, allowedFailures }: Evidence): Violation[] {
  const revoked = new Map(history.revocations.map(({ keyId, begun }) => [keyId, begun]));

  const hasLostAccess = (request: Request) =>
    history.accessLosses.some(
      (loss) =>
        loss.code === request.code &&
        affects(loss, request) &&
        loss.begun < request.ended &&
        loss.restored > request.begun,
    );

  const isExpected = (request: Request) => {
    if (succeeded(request) || request.outcome === 'abandoned') return true;
    if (failed(request)) return allowedFailures.some((allowed) => isAllowed(request, allowed));
    if (hasLostAccess(request)) return true;
    switch (request.code) {
      // limits.ts checks whether the limit was reached.
      case 'daily_cap':
        return request.kind === 'write';
      case 'rate_limited':
        return true;
      case 'invalid_category':
        return request.kind === 'write' && request.operation.invalid;
      case 'invalid_key':
        return (revoked.get(request.keyId) ?? Number.POSITIVE_INFINITY) < request.ended;
      default:
        return false;
    }
  };

  return history.requests
    .filter((request) => !isExpected(request))
    .map(({ kind, outcome, code, gateway, begun, ended, accountId, keyId, ...rest }) => ({
      rule: 'failed request',
      text: `a ${kind} to ${gateway} from ${Math.round(begun)} to ${Math.round(ended)} ms ended with ${outcome}${code ? ` ${code}` : ''}`,
      accountId,
      keyId,
      operations: 'operation' in rest ? [rest.operation.name] : [],
    }));
}

function isAllowed({ begun, ended, outcome }: Request, { from, to, outcomes }: AllowedFailure): boolean {
  return begun < to && ended > from && outcomes.includes(outcome);
}
