/** The audit of a round: a pure function of the history, the rows of its accounts and the failures that the faults allow. */
import { LIMITS } from '../../../proto/domain.ts';
import type { Books } from '../books.ts';
import { type History, type Outcome, writesIn } from '../history.ts';
import { checkLinearizability } from '../linearizability/check.ts';
import { byDateAndId } from '../linearizability/pages.ts';
import type * as Linear from '../linearizability/requests.ts';
import { auditMinutes } from './minutes.ts';
import { auditOutcomes } from './outcomes.ts';

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
  /** Whether both gateways could use Redis all the time: only then the rate limit is exact. */
  redisUndisturbed: boolean;
}

export interface Violation {
  /** The rule that it breaks. */
  rule: /** The rows of a request are of several transactions. */
    | 'half batch'
    | 'wrong total'
    /** No order of the requests explains the responses and, at the end, the rows and the counts as they are. */
    | 'not linearizable'
    /** A request succeeded although the client had no access. */
    | 'lost access'
    | 'minute'
    | 'wrong response'
    | 'failed request'
    /** A process ended by itself, or the cluster did not recover. */
    | 'out of service';
  text: string;
  accountId: string;
}

export function audit(evidence: Evidence): Violation[] {
  return [auditBatches, auditWriteLog, auditLinearizability, auditMinutes, auditOutcomes].flatMap((part) =>
    part(evidence),
  );
}

/** The entries that a request has stored were stored in one transaction. Tags and times of commits are unique in an account. */
function auditBatches({ history, books: { rows } }: Evidence): Violation[] {
  const byTag = new Map(rows.map((row) => [`${row.accountId} ${row.description}`, row]));
  return writesIn(history).flatMap(({ accountId, name, entries }): Violation[] => {
    const own = entries.map(({ description }) => byTag.get(`${accountId} ${description}`)?.committed);
    const { size } = new Set(own.filter((committed) => committed !== undefined));
    if (size <= 1) return [];
    return [{ rule: 'half batch', text: `the entries of ${name} are of ${size} transactions`, accountId }];
  });
}

/** The write log has the rows of each transaction, and their running total. */
function auditWriteLog({ books: { rows, writes } }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const expectEqual = (accountId: string, what: string, actual: number, stored: number) => {
    const text = `the write log's ${what} is ${actual} for ${stored} rows`;
    if (actual !== stored) violations.push({ rule: 'wrong total', text, accountId });
  };
  const transactionOf = ({ accountId, committed }: { accountId: string; committed: number }) =>
    `${accountId} ${committed}`;
  const stored = Map.groupBy(rows, transactionOf);
  const logged = Map.groupBy(writes, transactionOf);
  for (const name of new Set([...stored.keys(), ...logged.keys()])) {
    const created = (logged.get(name) ?? []).reduce((sum, each) => sum + each.created, 0);
    expectEqual(name.split(' ')[0] ?? '', 'count of a transaction', created, stored.get(name)?.length ?? 0);
  }
  for (const [accountId, ofAccount] of Map.groupBy(writes, (write) => write.accountId)) {
    let sum = 0;
    for (const { created, total } of ofAccount) {
      sum += created;
      expectEqual(accountId, 'total', total, sum);
    }
  }
  return violations;
}

/** The requests of each account, and at the end a read of all its rows and counts, are those of one ledger. */
function auditLinearizability({ history, books: { rows, sources } }: Evidence): Violation[] {
  const requests = history.requests.filter((request) => request.kind !== 'me');
  const times = requests.flatMap(({ begun, ended }) => [begun, ended]).filter(Number.isFinite);
  const begun = times.reduce((latest, time) => Math.max(latest, time), 0) + 1;
  const bySource = Map.groupBy(rows, ({ sourceId }) => sourceId);
  const reads = sources.flatMap(({ id, accountId, transactionCount }): Linear.Request[] => {
    const call = { accountId, begun, ended: begun + 1 };
    const transactions = (bySource.get(id) ?? []).toSorted(byDateAndId);
    const page = { sourceId: id, limit: Number.POSITIVE_INFINITY };
    return [
      { kind: 'page', name: 'the rows', ...call, ...page, response: { transactions, nextCursor: null } },
      { kind: 'sources', name: 'the count', ...call, response: { sources: [{ id, transactionCount }] } },
    ];
  });
  const all: Linear.Request[] = [...requests, ...reads];
  return [...Map.groupBy(all, ({ accountId }) => accountId)].flatMap(([accountId, own]): Violation[] => {
    const verdict = checkLinearizability(own, { cap: LIMITS.entriesPerDay });
    if (verdict.verdict === 'linearizable') return [];
    return [{ rule: 'not linearizable', text: `${verdict.verdict}: ${verdict.text}`, accountId }];
  });
}
