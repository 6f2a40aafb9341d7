/** Who is refused takes it that nothing was stored, and may send it elsewhere. */
import { refused, type Write, writesIn } from '../history.ts';
import type { Evidence, Violation } from './audit.ts';
import { groupBy, inAccount, rowsByTag } from './lookup.ts';

export function auditRefusals({ history, books }: Evidence): Violation[] {
  const byTag = rowsByTag(books);
  const operations = [...groupBy(writesIn(history), ({ operation }) => operation.name).values()];
  return operations.flatMap((writes): Violation[] => {
    // What was sent again may have been stored by the request that was not refused.
    if (!writes.every(refused)) return [];
    const { operation, accountId, keyId, outcome, code } = writes.at(-1) as Write;
    const { name, entries } = operation;
    const stored = entries.filter(({ description }) => byTag.has(inAccount(accountId, description)));
    if (stored.length === 0) return [];
    const text = `${name} was refused by ${outcome} ${code}, and ${stored.length} of its ${entries.length} entries are stored`;
    return [
      { rule: 'refused but stored', text, entries: stored.length, accountId, keyId, operations: [name] },
    ];
  });
}
