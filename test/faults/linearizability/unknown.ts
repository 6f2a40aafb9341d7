/** Writes whose outcome is unknown, and writes with one Idempotency-Key. */

import { type Entries, fingerprintOf } from './entries.ts';
import { Contradiction, type Entry, type KeyGroup, newOperation, type Operation } from './operations.ts';
import { contentOf, type SentEntry, type Write } from './requests.ts';

/**
 * The operations of writes without a response. Attempts that no order distinguishes count as one operation, the first:
 * it may have done anything that another may have done.
 */
export function writesWithoutResponse(writes: Write[], known: Operation[], entries: Entries): Operation[] {
  const byKey = byIdempotencyKey(known);
  const attempts = new Set<string>();
  const unnamed = new Map<string, Entry[]>();
  for (const entry of entries.seen) {
    if (entry.ref !== null || entry.isCertain) continue;
    const name = `${entry.sourceId} ${entry.content}`;
    unnamed.set(name, [...(unnamed.get(name) ?? []), entry]);
  }
  const takenBy = new Map<string, Operation>();

  function without(request: Write): Operation[] {
    const fingerprint = fingerprintOf(request);
    const isRepeatable =
      request.idempotencyKey !== undefined ||
      request.entries.every(({ externalRef }) => externalRef !== undefined);
    if (isRepeatable && attempts.has(fingerprint)) return [];
    attempts.add(fingerprint);
    const operation = newOperation(request);
    const repeated = request.idempotencyKey === undefined ? undefined : byKey.get(request.idempotencyKey);
    if (repeated) {
      if (fingerprintOf(repeated.request as Write) !== fingerprint) return [];
      const { group, needs, creates } = repeated;
      for (const entry of creates) entry.creators.push(operation);
      return [Object.assign(operation, { group, needs, creates })];
    }
    for (const [index, sent] of request.entries.entries()) {
      // Of several entries with one reference, only the first can be created.
      const first = request.entries.findIndex(({ externalRef }) => externalRef === sent.externalRef);
      if (sent.externalRef === undefined || first === index) addSent(operation, sent, index);
    }
    return [operation];
  }

  function addSent(operation: Operation, sent: SentEntry, index: number): void {
    const request = operation.request as Write;
    const entry = unnamedEntry(operation, sent) ?? entries.sent(sent, index, request);
    const content = contentOf(sent);
    const isOwn =
      !entry.isCertain &&
      (entry.seenIn === undefined ||
        entry.content === undefined ||
        (entry.content === content && entry.sourceId === request.sourceId));
    if (!isOwn) operation.needs.push(entry);
    else {
      entry.creators.push(operation);
      operation.creates.push(entry);
    }
  }

  /** An entry without a reference, with this content, that a page has listed. */
  function unnamedEntry(operation: Operation, sent: SentEntry): Entry | undefined {
    if (sent.externalRef !== undefined) return undefined;
    const name = `${sourceOfWrite(operation)} ${contentOf(sent)}`;
    const entry = unnamed.get(name)?.shift();
    const other = takenBy.get(name);
    if (other !== undefined && other !== operation) {
      entries.ambiguity = `${other.request.name} and ${operation.request.name} have no response and an equal entry without a reference`;
    }
    if (entry) takenBy.set(name, operation);
    return entry;
  }

  const ascending = writes
    .filter(({ response, refused }) => response === undefined && refused === undefined)
    .sort((a, b) => a.begun - b.begun);
  const operations = ascending.flatMap(without);
  for (const { request, creates } of operations) {
    for (const entry of creates) describeByCreator(entry, request as Write);
  }
  return operations;
}

/** The only creator gives the content of an entry that only repeated requests have named. */
function describeByCreator(entry: Entry, { sourceId, entries }: Write): void {
  const sent = entries.find(({ externalRef }) => externalRef === entry.ref);
  if (entry.content !== undefined || entry.creators.length > 1 || !sent) return;
  Object.assign(entry, { sourceId, date: sent.date, content: contentOf(sent) });
}

const sourceOfWrite = ({ request }: Operation) => (request as Write).sourceId;

/** Puts the writes of each Idempotency-Key in a group. Returns one write of each. */
function byIdempotencyKey(known: Operation[]): Map<string, Operation> {
  const byKey = new Map<string, Operation>();
  for (const operation of known) {
    const request = operation.request as Write;
    const key = request.idempotencyKey;
    if (key === undefined) continue;
    const first = byKey.get(key);
    if (!first) {
      byKey.set(key, operation);
      operation.group = {} satisfies KeyGroup;
      continue;
    }
    if (fingerprintOf(first.request as Write) !== fingerprintOf(request)) {
      throw new Contradiction(`The Idempotency-Key ${key} named two requests`, [first.request, request]);
    }
    if (idsOf(first.request as Write) !== idsOf(request)) {
      throw new Contradiction(`The Idempotency-Key ${key} has two responses`, [first.request, request]);
    }
    if (first.group) operation.group = first.group;
  }
  return byKey;
}

function idsOf({ response }: Write): string {
  const ids = [response?.transactions ?? [], response?.existing ?? []].map((list) =>
    list.map(({ id }) => id).sort(),
  );
  return JSON.stringify(ids);
}
