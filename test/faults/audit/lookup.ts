/** Indexes of the rows by id, reference and tag. */
import type { Books, Row } from '../books.ts';

/** Ids and references are unique per account, so an index key begins with the account. */
export const inAccount = (accountId: string, name: string) => `${accountId} ${name}`;

export function rowsById({ rows }: Books): Map<string, Row> {
  return new Map(rows.map((row) => [inAccount(row.accountId, row.id), row]));
}

export function rowsByRef({ rows }: Books): Map<string, Row[]> {
  const withRef = rows.filter(({ externalRef }) => externalRef !== null);
  return Map.groupBy(withRef, ({ accountId, externalRef }) => inAccount(accountId, externalRef as string));
}

export function rowsByTag({ rows }: Books): Map<string, Row[]> {
  return Map.groupBy(rows, ({ accountId, description }) => inAccount(accountId, description ?? ''));
}
