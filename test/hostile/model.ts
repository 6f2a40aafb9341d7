/** A model of the books, built from the responses of the API. */
import type { Content } from './judge.ts';

export interface CreateResult {
  created: number;
  deduplicated: number;
  transactions: Reference[];
  existing: Reference[];
}

interface Reference {
  id: string;
  externalRef: string | null;
}

export type Row = Content & { id: string; sourceId: string };

/** The books of one account. */
export class BooksModel {
  #rows = new Map<string, Row>();
  #idsOfRefs = new Map<string, string>();
  /** The first response to each Idempotency-Key. */
  #keyed = new Map<string, CreateResult>();
  /** The references in `existing`, checked at the end, because responses may arrive out of order. */
  #claims: Reference[] = [];

  constructor(rows: readonly Row[]) {
    for (const row of rows) this.#rows.set(row.id, row);
  }

  /**
   * Records the response to `entries`, sent to `sourceId`.
   * @param idempotencyKey of a request that may be repeated and must then get the first response again
   * @returns an error of the response, or undefined
   */
  record(
    entries: readonly Content[],
    sourceId: string,
    response: CreateResult,
    idempotencyKey: string | undefined,
  ): string | undefined {
    const { created, deduplicated, transactions, existing } = response;
    if (created !== transactions.length || deduplicated !== existing.length)
      return 'counts that differ from its lists';
    if (idempotencyKey !== undefined) {
      const first = this.#keyed.get(idempotencyKey);
      if (first !== undefined)
        return Bun.deepEquals(first, response) ? undefined : 'another response than the first';
      this.#keyed.set(idempotencyKey, response);
    }
    const createdRefs = new Set(transactions.map(({ externalRef }) => externalRef));
    const [isNew, isOld] = [transactions.values(), existing.values()];
    for (const entry of entries) {
      const { externalRef } = entry;
      // The first entry with a reference is created, unless the books already had the reference.
      const creates = externalRef === null || createdRefs.delete(externalRef);
      const reference = (creates ? isNew : isOld).next().value;
      if (reference?.externalRef !== externalRef) return `a response without ${externalRef}`;
      if (!creates) this.#claims.push(reference);
      else if (this.#rows.has(reference.id)) return `${reference.id} created twice`;
      else this.#rows.set(reference.id, { ...entry, id: reference.id, sourceId });
      if (creates && externalRef !== null) this.#idsOfRefs.set(externalRef, reference.id);
    }
    if (!isNew.next().done || !isOld.next().done) return 'more references than entries';
    return undefined;
  }

  /** The first few differences between `rows` and the model. */
  differences(rows: readonly Row[]): string[] {
    const found = new Map(rows.map((row) => [row.id, row]));
    const wrong = [...this.#rows.values()]
      .filter((row) => !Bun.deepEquals(row, found.get(row.id)))
      .map((row) => `not as sent: ${JSON.stringify(row)} is ${JSON.stringify(found.get(row.id))}`);
    const extra = rows
      .filter(({ id }) => !this.#rows.has(id))
      .map((row) => `never acknowledged: ${JSON.stringify(row)}`);
    return [...wrong, ...extra].slice(0, 5);
  }

  /** References that a response listed in `existing` under a wrong id. */
  falseClaims(): Reference[] {
    return this.#claims.filter(({ id, externalRef }) => this.#idsOfRefs.get(externalRef ?? '') !== id);
  }
}
