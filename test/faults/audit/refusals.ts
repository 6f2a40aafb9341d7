/** Audits refused writes: after a 4xx, none of the entries is stored. */
import { isRefused, type Write, writesIn } from '../history.ts';
import type { Evidence, Violation } from './audit.ts';
import { inAccount, rowsByTag } from './lookup.ts';

export function auditRefusals({ history, books }: Evidence): Violation[] {
  const byTag = rowsByTag(books);
  const operations = [...Map.groupBy(writesIn(history), ({ operation }) => operation.name).values()];
  return operations.flatMap((writes): Violation[] => {
    // If one of several attempts was not refused, it may have stored the entries.
    if (!writes.every(isRefused)) return [];
    const { operation, accountId, keyId, outcome, code } = writes.at(-1) as Write;
    const { name, entries } = operation;
    const stored = entries.filter(({ description }) => byTag.has(inAccount(accountId, description)));
    if (stored.length === 0) return [];
    const text = `${name} was refused with ${outcome} ${code}, but ${stored.length} of its ${entries.length} entries are stored`;
    return [
      { rule: 'refused but stored', text, entries: stored.length, accountId, keyId, operations: [name] },
    ];
  });
}
