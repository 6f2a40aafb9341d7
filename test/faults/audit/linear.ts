/**
 * Audits what clients saw: the requests of each account, and at the end a read of all its rows and counts, are those of
 * one ledger that executed them one after the other.
 */
import type * as Conformance from '../../../clients/conformance/history.ts';
import { byDateAndId } from '../../../clients/conformance/linear-pages.ts';
import { checkLinearizability } from '../../../clients/conformance/linearizability.ts';
import { LIMITS } from '../../../proto/vocabulary.ts';
import type { Books } from '../books.ts';
import type { Evidence, Violation } from './audit.ts';

export function auditLinearizability({ history, books }: Evidence): Violation[] {
  const requests = history.requests.filter((request) => request.kind !== 'me');
  const times = requests.flatMap(({ begun, ended }) => [begun, ended]).filter(Number.isFinite);
  const end = times.reduce((latest, time) => Math.max(latest, time), 0) + 1;
  const all: Conformance.Request[] = [...requests, ...readsOfBooks(books, end)];
  return [...Map.groupBy(all, ({ accountId }) => accountId)].flatMap(
    ([accountId, ofAccount]): Violation[] => {
      const verdict = checkLinearizability({ requests: ofAccount }, { cap: LIMITS.entriesPerDay });
      if (verdict.verdict === 'linearizable') return [];
      return [{ rule: 'not linearizable', text: `${verdict.verdict}: ${verdict.text}`, accountId }];
    },
  );
}

/** Every source and its rows, as if a client had read them after all requests. */
function readsOfBooks({ rows, sources }: Books, begun: number): Conformance.Request[] {
  const bySource = Map.groupBy(rows, ({ sourceId }) => sourceId);
  return sources.flatMap(({ id, accountId, transactionCount }): Conformance.Request[] => {
    const call = { accountId, begun, ended: begun + 1 };
    const transactions = (bySource.get(id) ?? []).toSorted(byDateAndId);
    const page = {
      sourceId: id,
      limit: Number.POSITIVE_INFINITY,
      response: { transactions, nextCursor: null },
    };
    const response = { sources: [{ id, transactionCount }] };
    return [
      { kind: 'page', name: 'the rows', ...call, ...page },
      { kind: 'sources', name: 'the count in the rows', ...call, response },
    ];
  });
}
