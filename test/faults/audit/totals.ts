/** Audits the counters: each source's transaction_count, the write log, and its running total. */
import type { Evidence, Violation } from './audit.ts';
import { inAccount } from './lookup.ts';

export function auditTotals({ books }: Evidence): Violation[] {
  const { rows, writes, sources } = books;
  const violations: Violation[] = [];
  const wrong = (accountId: string, text: string) =>
    violations.push({ rule: 'wrong total', text, accountId, operations: [] });

  const bySource = Map.groupBy(rows, ({ accountId, sourceId }) => inAccount(accountId, sourceId));
  for (const { accountId, id, transactionCount } of sources) {
    const count = bySource.get(inAccount(accountId, id))?.length ?? 0;
    if (count !== transactionCount)
      wrong(accountId, `source ${id} counts ${transactionCount} but has ${count} rows`);
  }

  const committedTogether = ({ accountId, committed }: { accountId: string; committed: number }) =>
    inAccount(accountId, String(committed));
  const transactions = Map.groupBy(rows, committedTogether);
  const logged = Map.groupBy(writes, committedTogether);
  for (const [name, group] of transactions) {
    const entries = (logged.get(name) ?? []).reduce((sum, { created }) => sum + created, 0);
    if (entries !== group.length) {
      wrong(group[0]?.accountId ?? '', `a transaction stored ${group.length} rows and logged ${entries}`);
    }
  }
  for (const [name, [write]] of logged) {
    if (!transactions.has(name))
      wrong(write?.accountId ?? '', `${write?.created} entries are logged, but no rows are stored`);
  }

  for (const [accountId, ofAccount] of Map.groupBy(writes, (write) => write.accountId)) {
    let total = 0;
    for (const write of ofAccount) {
      total += write.created;
      if (write.total !== total)
        wrong(accountId, `the log's total is ${write.total}, but ${total} were created`);
    }
  }
  return violations;
}
