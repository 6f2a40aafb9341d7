/**
 * Every batch whole or absent, nothing in the books twice, and nothing that nobody sent. Whatever was
 * answered.
 */
import type { Row } from '../books.ts';
import { type Operation, writesIn } from '../history.ts';
import { isStored } from './answers.ts';
import type { Evidence, Violation } from './audit.ts';
import { inAccount, rowsByRef, rowsByTag } from './lookup.ts';

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
  const text = `there is a row that nobody sent: ${JSON.stringify(row)}`;
  return [{ rule: 'foreign row', text, accountId, operations: [name] }];
}

/** Of an operation, all is stored in one transaction, except for references that were stored by then. */
function half(operation: Operation, byTag: Map<string, Row[]>, byRef: Map<string, Row[]>): Violation[] {
  const { accountId, name, entries, invalid } = operation;
  const own = entries.map(({ description }) => byTag.get(inAccount(accountId, description))?.[0]);
  const stored = own.filter((row) => row !== undefined);
  if (stored.length === 0) return [];
  const about = { rule: 'half batch' as const, accountId, operations: [name] };
  if (invalid)
    return [{ ...about, text: `${name} holds an invalid category, and ${stored.length} of it are stored` }];

  const [committed, ...others] = new Set(stored.map((row) => row.committed));
  if (others.length > 0) {
    return [{ ...about, text: `${name} was stored in ${others.length + 1} transactions` }];
  }
  const missing = entries.filter(({ externalRef }, index) => {
    if (own[index] !== undefined) return false;
    const [known] = (externalRef !== undefined && byRef.get(inAccount(accountId, externalRef))) || [];
    // At the same time, too: batches that share a commit come one after the other within it.
    return known === undefined || known.committed > (committed ?? 0);
  });
  if (missing.length === 0) return [];
  const text = `${stored.length} of the ${entries.length} entries of ${name} are stored; ${missing.length} are not, nor were they known before, for instance ${JSON.stringify(missing[0])}`;
  return [{ ...about, text }];
}

/** A tag is `<operation>/<index>`. */
function operationOf(tag: string | null): string {
  return tag?.slice(0, tag.lastIndexOf('/')) ?? '';
}
