/**
 * Audits what clients saw: the requests of each account, and at the end a read of all its rows and counts, are those of
 * one ledger that executed them one after the other.
 */
import type * as Conformance from '../../../clients/conformance/history.ts';
import { byDateAndId } from '../../../clients/conformance/linear-pages.ts';
import { checkLinearizability } from '../../../clients/conformance/linearizability.ts';
import { LIMITS } from '../../../proto/vocabulary.ts';
import type { Books } from '../books.ts';
import { isRefused, type Request, succeeded, type Write } from '../history.ts';
import type { Evidence, Violation } from './audit.ts';

export function auditLinearizability({ history, books }: Evidence): Violation[] {
  const requests = history.requests.flatMap(requestOf);
  const times = requests.flatMap(({ begun, ended }) => [begun, ended]).filter(Number.isFinite);
  const end = times.reduce((latest, time) => Math.max(latest, time), 0) + 1;
  const byAccount = Map.groupBy([...requests, ...readsOfBooks(books, end)], ({ accountId }) => accountId);
  return [...byAccount].flatMap(([accountId, ofAccount]): Violation[] => {
    const verdict = checkLinearizability({ requests: ofAccount }, { cap: LIMITS.entriesPerDay });
    if (verdict.verdict === 'linearizable') return [];
    const involved = verdict.verdict === 'undecided' ? [] : verdict.requests;
    const operations = involved.flatMap((each) => (each.kind === 'write' ? each.name : []));
    return [{ rule: 'not linearizable', text: `${verdict.verdict}: ${verdict.text}`, accountId, operations }];
  });
}

/** A request as the checker knows it; none for one that neither writes nor reads. */
function requestOf(request: Request): Conformance.Request[] {
  const { accountId, begun, ended, gateway } = request;
  const call = { accountId, begun, ended, ...refusalOf(request) };
  switch (request.kind) {
    case 'write': {
      const { operation, response } = request;
      const { name, sourceId, entries, idempotencyKey } = operation;
      return [
        {
          kind: 'write',
          ...call,
          ...{ name, sourceId, entries },
          ...(idempotencyKey !== undefined && { idempotencyKey }),
          ...(response && { response }),
        },
      ];
    }
    case 'page':
      return [{ ...request, ...call, name: `page from ${gateway}` }];
    case 'sources':
      return [{ ...request, ...call, name: `sources from ${gateway}` }];
    case 'me':
      return [];
  }
}

/** Without effect are a 4xx, a request that no gateway accepted, and one with an invalid entry. */
function refusalOf(request: Request): { refused?: string } {
  if (succeeded(request)) return {};
  const isInvalid = request.kind === 'write' && (request as Write).operation.invalid;
  if (!isRefused(request) && !isInvalid && request.outcome !== 'unavailable') return {};
  return { refused: request.code ?? 'invalid' };
}

/** Every source and its rows, as if a client had read them after all requests. */
function readsOfBooks({ rows, sources }: Books, begun: number): Conformance.Request[] {
  const call = { begun, ended: begun + 1 };
  const bySource = Map.groupBy(rows, ({ sourceId }) => sourceId);
  const pages = sources.map(({ id, accountId }): Conformance.Page => {
    const transactions = (bySource.get(id) ?? []).toSorted(byDateAndId);
    const response = { transactions, nextCursor: null };
    const limit = Number.POSITIVE_INFINITY;
    return { kind: 'page', accountId, name: 'the rows', ...call, sourceId: id, limit, response };
  });
  const counts = sources.map(({ id, accountId, transactionCount }): Conformance.Sources => {
    const response = { sources: [{ id, transactionCount }] };
    return { kind: 'sources', accountId, name: 'the count in the rows', ...call, response };
  });
  return [...pages, ...counts];
}
