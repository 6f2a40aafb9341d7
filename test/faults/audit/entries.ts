/**
 * Audits the rows: every acknowledged entry is there, none is stored twice, and every batch is whole or absent. Whether the
 * rows are as they were sent is part of linear.ts.
 */
import { inAccount, type Row } from '../books.ts';
import { type Operation, type Write, writesIn } from '../history.ts';
import type { Evidence, Violation } from './audit.ts';

export function auditEntries({ history, books: { rows } }: Evidence): Violation[] {
  const ids = new Set(rows.map(({ accountId, id }) => inAccount(accountId, id)));
  const byTag = Map.groupBy(rows, ({ accountId, description }) => inAccount(accountId, description ?? ''));
  const withRef = rows.filter(({ externalRef }) => externalRef !== null);
  const byRef = Map.groupBy(withRef, ({ accountId, externalRef }) => inAccount(accountId, externalRef ?? ''));
  const writes = writesIn(history);
  // An operation that was sent several times is audited once.
  const operations = new Map(writes.map((write) => [write.name, write]));
  return [
    ...writes.flatMap((write) => lost(write, ids)),
    ...[...byTag.values(), ...byRef.values()].flatMap(doubled),
    ...[...operations.values()].flatMap((operation) => half(operation, byTag, byRef)),
  ];
}

function lost({ accountId, name, response }: Write, ids: Set<string>): Violation[] {
  const references = [...(response?.transactions ?? []), ...(response?.existing ?? [])];
  const missing = references.filter(({ id }) => !ids.has(inAccount(accountId, id)));
  if (missing.length === 0) return [];
  const text = `${missing.length} acknowledged entries of ${name} are not stored, for example ${missing[0]?.id}`;
  return [{ rule: 'lost', text, accountId, entries: missing.length }];
}

function doubled(same: Row[]): Violation[] {
  const [{ accountId, description }] = same as [Row];
  if (same.length === 1) return [];
  const text = `${description} is stored ${same.length} times: ${same.map(({ id }) => id).join(', ')}`;
  return [{ rule: 'doubled', text, accountId }];
}

/** An operation is stored completely, in one transaction, except for references that were already stored. */
function half(operation: Operation, byTag: Map<string, Row[]>, byRef: Map<string, Row[]>): Violation[] {
  const { accountId, name, entries } = operation;
  const own = entries.map(({ description }) => byTag.get(inAccount(accountId, description))?.[0]);
  const committed = new Set(own.flatMap((row) => (row ? [row.committed] : [])));
  const [at = Number.POSITIVE_INFINITY] = committed;
  const missing = entries.filter(({ externalRef }, index) => {
    if (own[index] !== undefined) return false;
    const [known] = (externalRef !== undefined && byRef.get(inAccount(accountId, externalRef))) || [];
    // An equal time is allowed: batches that share a commit run one after the other within it.
    return known === undefined || known.committed > at;
  });
  if (committed.size === 0 || (committed.size === 1 && missing.length === 0)) return [];
  const text = `of the ${entries.length} entries of ${name}, ${missing.length} are missing and were not stored before, and the others are of ${committed.size} transactions`;
  return [{ rule: 'half batch', text, accountId }];
}
