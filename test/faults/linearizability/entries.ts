/**
 * The entries that the responses name, each with the writes that may have created it. An id identifies one entry, and so
 * does a reference.
 */

import { Contradiction, type Entry, newOperation, type Operation } from './operations.ts';
import { contentOf, type Reference, type Request, type SentEntry, type Write } from './requests.ts';

export class Entries {
  readonly #byId = new Map<string, Entry>();
  readonly #byRef = new Map<string, Entry>();
  /** Entries that no response names. */
  readonly unseen: Entry[] = [];
  /** Why the order cannot be decided. */
  ambiguity: string | undefined;

  get seen(): Iterable<Entry> {
    return this.#byId.values();
  }

  ofReference(ref: string): Entry | undefined {
    return this.#byRef.get(ref);
  }

  /** The entry that a response names. */
  named({ id, externalRef: ref }: Reference, seenIn: Request): Entry {
    const known = this.#byId.get(id);
    if (known?.ref === ref) return known;
    const other = known ?? (ref === null ? undefined : this.#byRef.get(ref));
    if (other?.seenIn) {
      const [shown, differing] = known
        ? [`The id ${id}`, `the references ${other.ref} and ${ref}`]
        : [`The reference ${JSON.stringify(ref)}`, `the ids ${other.id} and ${id}`];
      throw new Contradiction(`${shown} has two entries: it comes with ${differing}`, [other.seenIn, seenIn]);
    }
    const entry = { id, ref, seenIn, creators: [], isCertain: false, index: 0, isStored: false };
    this.#byId.set(id, entry);
    if (ref !== null) this.#byRef.set(ref, entry);
    return entry;
  }

  /** An entry of a write without a response. */
  sent(entry: SentEntry, index: number, { sourceId }: Write): Entry {
    const ref = entry.externalRef ?? null;
    const known = ref === null ? undefined : this.#byRef.get(ref);
    if (known) return known;
    const { date } = entry;
    const own = { ref, sourceId, date, content: contentOf(entry), index };
    const unseen = { ...own, creators: [], isCertain: false, isStored: false };
    if (ref !== null) this.#byRef.set(ref, unseen);
    this.unseen.push(unseen);
    return unseen;
  }
}

/** The operations of writes with a response, and the entries in these responses. */
export function writesWithResponse(writes: Write[], entries: Entries): Operation[] {
  const operations = writes.filter(({ response }) => response).map(newOperation);
  for (const operation of operations) addCreated(operation, entries);
  for (const { request, needs, creates } of operations) {
    for (const reference of (request as Write).response?.existing ?? []) {
      const entry = entries.named(reference, request);
      if (!creates.includes(entry)) needs.push(entry);
    }
  }
  return operations;
}

function addCreated(operation: Operation, entries: Entries): void {
  const request = operation.request as Write;
  const contradiction = contradictionIn(request);
  if (contradiction) {
    throw new Contradiction(`The response contradicts its request: ${contradiction}`, [request]);
  }
  const withoutRef = [...request.entries.keys()].filter(
    (index) => request.entries[index]?.externalRef === undefined,
  );
  for (const reference of request.response?.transactions ?? []) {
    const { externalRef } = reference;
    const index =
      externalRef === null
        ? (withoutRef.shift() ?? 0)
        : request.entries.findIndex((each) => each.externalRef === externalRef);
    const sent = request.entries[index] as SentEntry;
    const entry = entries.named(reference, request);
    const [other] = entry.creators;
    if (other && !isSameRequest(other.request as Write, request)) {
      throw new Contradiction(`Two requests have created ${reference.id}`, [other.request, request]);
    }
    const { sourceId } = request;
    Object.assign(entry, { sourceId, date: sent.date, content: contentOf(sent), index, isCertain: true });
    entry.creators.push(operation);
    operation.creates.push(entry);
  }
}

/** How a response contradicts its request, independently of the books. */
function contradictionIn({ response, entries }: Write): string | undefined {
  const { created, deduplicated, transactions, existing } = response ?? EMPTY;
  if (created !== transactions.length || deduplicated !== existing.length)
    return 'its counts differ from its lists';
  if (created + deduplicated !== entries.length) return `${entries.length} entries were sent`;
  const refs = (list: { externalRef?: string | null }[]) =>
    JSON.stringify(list.map((each) => each.externalRef ?? '').sort());
  if (refs([...transactions, ...existing]) !== refs(entries)) {
    return 'its references differ from the references of the request';
  }
  const ids = transactions.map(({ id }) => id);
  return new Set(ids).size === ids.length ? undefined : 'an id is created twice';
}

const EMPTY = { created: 0, deduplicated: 0, transactions: [], existing: [] };

/** Whether both are attempts of one request with an Idempotency-Key. */
export const isSameRequest = (one: Write, other: Write) =>
  one.idempotencyKey !== undefined && fingerprintOf(one) === fingerprintOf(other);

/** Source, entries and Idempotency-Key. */
export const fingerprintOf = ({ sourceId, entries, idempotencyKey }: Write) =>
  JSON.stringify([sourceId, idempotencyKey, entries.map((each) => [contentOf(each), each.externalRef])]);
