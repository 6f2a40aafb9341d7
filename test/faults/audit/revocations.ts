/** Once a revocation has returned, no request begun later does anything with the key. */
import { failed } from '../history.ts';
import type { Evidence, Violation } from './audit.ts';

export function auditRevocations({ history }: Evidence): Violation[] {
  return history.revocations.flatMap(({ keyId, accountId, ended }) =>
    history.requests
      .filter((request) => request.keyId === keyId && request.begun > ended)
      .filter((request) => request.outcome !== 401 && !failed(request))
      .map((request) => ({
        rule: 'revoked key' as const,
        text: `a ${request.kind} begun ${Math.ceil(request.begun - ended)} ms after the revocation of ${keyId} had returned was answered ${request.outcome}`,
        accountId,
        keyId,
        operations: request.kind === 'write' ? [request.operation.name] : [],
      })),
  );
}
