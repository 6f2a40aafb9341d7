/**
 * Audits the books independent of the responses: every batch is whole or absent, no entry is stored twice, and every row
 * was sent by a client.
 */
import type { Row } from '../books.ts';
import { type Operation, writesIn } from '../history.ts';
import type { Evidence, Violation } from './audit.ts';
import { inAccount, rowsByRef, rowsByTag } from './lookup.ts';
import { isStored } from './responses.ts';

export function auditBatches({ history, books }: Evidence): Violation[] {
  const operations = new Map(writesIn(history).map(({ operation }) => [operation.name, operation]));
  const byTag = rowsByTag(books);
  const byRef = rowsByRef(books);
  return [
    ...doubles('entry', byTag),
    ...doubles('reference', byRef),
    ...books.rows.flatMap((row) => foreign(row, operations)),
    ...[...operations.values()].flatMap((operation) => half(operation, byTag, byRef)),
  ];
}

function doubles(what: string, rows: Map<string, Row[]>): Violation[] {
  return [...rows.values()]
    .filter(({ length }) => length > 1)
    .map((same) => ({
      rule: 'doubled',
      text: `the ${what} of ${same[0]?.description} is stored ${same.length} times: ${same.map(({ id }) => id).join(', ')}`,
      accountId: same[0]?.accountId ?? '',
      operations: same.map(({ description }) => operationOf(description)),
    }));
}

function foreign(row: Row, operations: Map<string, Operation>): Violation[] {
  const { accountId, description } = row;
  const name = operationOf(description);
  const operation = operations.get(name);
  const entry = operation?.entries.find((each) => each.description === description);
  if (operation?.accountId === accountId && isStored(entry, operation, row)) return [];
  const text = `no client has sent this row: ${JSON.stringify(row)}`;
  return [{ rule: 'foreign row', text, accountId, operations: [name] }];
}

/** An operation is stored completely, in one transaction, except for references that were already stored. */
function half(operation: Operation, byTag: Map<string, Row[]>, byRef: Map<string, Row[]>): Violation[] {
  const { accountId, name, entries, invalid } = operation;
  const own = entries.map(({ description }) => byTag.get(inAccount(accountId, description))?.[0]);
  const stored = own.filter((row) => row !== undefined);
  if (stored.length === 0) return [];
  const about = { rule: 'half batch' as const, accountId, operations: [name] };
  if (invalid)
    return [
      { ...about, text: `${name} has an invalid category, but ${stored.length} of its entries are stored` },
    ];

  const [committed, ...others] = new Set(stored.map((row) => row.committed));
  if (others.length > 0) {
    return [{ ...about, text: `${name} was stored in ${others.length + 1} transactions` }];
  }
  const missing = entries.filter(({ externalRef }, index) => {
    if (own[index] !== undefined) return false;
    const [known] = (externalRef !== undefined && byRef.get(inAccount(accountId, externalRef))) || [];
    // An equal time is allowed: batches that share a commit run one after the other within it.
    return known === undefined || known.committed > (committed ?? 0);
  });
  if (missing.length === 0) return [];
  const text = `${stored.length} of the ${entries.length} entries of ${name} are stored; ${missing.length} are missing and were not stored before, for example ${JSON.stringify(missing[0])}`;
  return [{ ...about, text }];
}

/** A tag is `<operation>/<index>`. */
function operationOf(tag: string | null): string {
  return tag?.slice(0, tag.lastIndexOf('/')) ?? '';
}
