/** Audits lost access: no request succeeds that began after a revocation returned, or while the account lacked access. */
import { affects, failed, succeeded } from '../history.ts';
import type { Evidence, Violation } from './audit.ts';

export function auditRevocations(evidence: Evidence): Violation[] {
  return [...afterRevocation(evidence), ...withoutAccess(evidence)];
}

function withoutAccess({ history }: Evidence): Violation[] {
  return history.accessLosses.flatMap((loss) =>
    history.requests
      .filter((request) => succeeded(request) && affects(loss, request))
      .filter(({ begun, ended }) => begun > loss.ended && ended < loss.restoring)
      .map((request) => ({
        rule: 'lost access' as const,
        text: `a ${request.kind} begun ${Math.ceil(request.begun - loss.ended)} ms after the ${loss.what} was removed got ${request.outcome}`,
        accountId: loss.accountId,
        keyId: request.keyId,
        operations: request.kind === 'write' ? [request.operation.name] : [],
      })),
  );
}

function afterRevocation({ history }: Evidence): Violation[] {
  return history.revocations.flatMap(({ keyId, accountId, ended }) =>
    history.requests
      .filter((request) => request.keyId === keyId && request.begun > ended)
      .filter((request) => request.outcome !== 401 && !failed(request))
      .map((request) => ({
        rule: 'revoked key' as const,
        text: `a ${request.kind} begun ${Math.ceil(request.begun - ended)} ms after the revocation of ${keyId} returned got ${request.outcome}`,
        accountId,
        keyId,
        operations: request.kind === 'write' ? [request.operation.name] : [],
      })),
  );
}
