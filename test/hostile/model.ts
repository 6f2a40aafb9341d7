/** The books as they must be in the end, by what the API answered. */
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
  /** The first answer to each Idempotency-Key. */
  #keyed = new Map<string, CreateResult>();
  /** What `existing` said, to be compared once every answer is in: answers may overtake each other. */
  #claims: Reference[] = [];

  constructor(rows: readonly Row[]) {
    for (const row of rows) this.#rows.set(row.id, row);
  }

  get size(): number {
    return this.#rows.size;
  }

  /**
   * Takes in the answer to `entries`, sent to `sourceId`.
   * @param idempotencyKey under which a request may come more than once, and then gets the first answer again
   * @returns what is wrong with the answer
   */
  record(
    entries: readonly Content[],
    sourceId: string,
    answer: CreateResult,
    idempotencyKey: string | undefined,
  ): string | undefined {
    const { created, deduplicated, transactions, existing } = answer;
    if (created !== transactions.length || deduplicated !== existing.length)
      return 'counts that are not its lists';
    if (idempotencyKey !== undefined) {
      const first = this.#keyed.get(idempotencyKey);
      if (first !== undefined)
        return Bun.deepEquals(first, answer) ? undefined : 'not the first answer again';
      this.#keyed.set(idempotencyKey, answer);
    }
    const createdRefs = new Set(transactions.map(({ externalRef }) => externalRef));
    const [isNew, isOld] = [transactions.values(), existing.values()];
    for (const entry of entries) {
      const { externalRef } = entry;
      // The first of a reference is created, unless the books had it before.
      const creates = externalRef === null || createdRefs.delete(externalRef);
      const reference = (creates ? isNew : isOld).next().value;
      if (reference?.externalRef !== externalRef) return `an answer of which ${externalRef} is no part`;
      if (!creates) this.#claims.push(reference);
      else if (this.#rows.has(reference.id)) return `${reference.id} created twice`;
      else this.#rows.set(reference.id, { ...entry, id: reference.id, sourceId });
      if (creates && externalRef !== null) this.#idsOfRefs.set(externalRef, reference.id);
    }
    if (!isNew.next().done || !isOld.next().done) return 'more in the answer than was sent';
    return undefined;
  }

  /** Where `rows` are not what the books must hold, code unit by code unit; at most a few of the differences. */
  differences(rows: readonly Row[]): string[] {
    const found = new Map(rows.map((row) => [row.id, row]));
    const wrong = [...this.#rows.values()]
      .filter((row) => !Bun.deepEquals(row, found.get(row.id)))
      .map((row) => `not as it was sent: ${JSON.stringify(row)} is ${JSON.stringify(found.get(row.id))}`);
    const extra = rows
      .filter(({ id }) => !this.#rows.has(id))
      .map((row) => `never acknowledged: ${JSON.stringify(row)}`);
    return [...wrong, ...extra].slice(0, 5);
  }

  /** References that were said to be in the books under an id that they do not have. */
  falseClaims(): Reference[] {
    return this.#claims.filter(({ id, externalRef }) => this.#idsOfRefs.get(externalRef ?? '') !== id);
  }
}
