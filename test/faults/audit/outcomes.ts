/**
 * Every request answered as it may be: a failure needs the excuse of a disturbance, a refusal a reason of
 * its own.
 */
import { concerns, failed, type Outcome, type Request, succeeded } from '../history.ts';
import type { Evidence, Violation } from './audit.ts';

/** What requests that were under way in a span of time may have been answered. */
export interface Excuse {
  from: number;
  to: number;
  outcomes: readonly Outcome[];
}

export function auditOutcomes({ history, excuses }: Evidence): Violation[] {
  const revoked = new Map(history.revocations.map(({ keyId, begun }) => [keyId, begun]));

  const hasLostAccess = (request: Request) =>
    history.losses.some(
      (loss) =>
        loss.code === request.code &&
        concerns(loss, request) &&
        loss.begun < request.ended &&
        loss.regained > request.begun,
    );

  const isExpected = (request: Request) => {
    if (succeeded(request) || request.outcome === 'abandoned') return true;
    if (failed(request)) return excuses.some((excuse) => isExcused(request, excuse));
    if (hasLostAccess(request)) return true;
    switch (request.code) {
      // Whether rightly so, the limits tell.
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
      text: `a ${kind} to ${gateway} from ${Math.round(begun)} to ${Math.round(ended)} ms was answered ${outcome}${code ? ` ${code}` : ''}`,
      accountId,
      keyId,
      operations: 'operation' in rest ? [rest.operation.name] : [],
    }));
}

function isExcused({ begun, ended, outcome }: Request, { from, to, outcomes }: Excuse): boolean {
  return begun < to && ended > from && outcomes.includes(outcome);
}
