/** Audits the counters: each source's transaction_count, the write log, and its running total. */
import { inAccount } from '../books.ts';
import type { Evidence, Violation } from './audit.ts';

export function auditTotals({ books: { rows, writes, sources } }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const expectEqual = (accountId: string, what: string, actual: number, stored: number) => {
    const text = `${what} has ${actual} for ${stored} rows`;
    if (actual !== stored) violations.push({ rule: 'wrong total', text, accountId });
  };

  const bySource = Map.groupBy(rows, ({ sourceId }) => sourceId);
  for (const { accountId, id, transactionCount } of sources) {
    expectEqual(accountId, `the source ${id}`, transactionCount, bySource.get(id)?.length ?? 0);
  }

  const transactionOf = ({ accountId, committed }: { accountId: string; committed: number }) =>
    inAccount(accountId, String(committed));
  const stored = Map.groupBy(rows, transactionOf);
  const logged = Map.groupBy(writes, transactionOf);
  for (const name of new Set([...stored.keys(), ...logged.keys()])) {
    const created = (logged.get(name) ?? []).reduce((sum, each) => sum + each.created, 0);
    const [accountId = ''] = name.split(' ');
    expectEqual(accountId, 'the write log of a transaction', created, stored.get(name)?.length ?? 0);
  }

  for (const [accountId, ofAccount] of Map.groupBy(writes, (write) => write.accountId)) {
    let sum = 0;
    for (const { created, total } of ofAccount) {
      sum += created;
      expectEqual(accountId, "the write log's total", total, sum);
    }
  }
  return violations;
}
