/** The books after the operations that have a place: what is stored, counted, and what the day has. */
import { type Entry, type Operation, sourceOf } from './linear-operations.ts';

export class LinearState {
  /** In their order. */
  readonly placed: Operation[] = [];
  total = 0;
  /** For each placed operation the entries that it created. */
  readonly #created: Entry[][] = [];
  readonly #counts = new Map<string, number>();
  readonly #readsOfCounts = new Map<string, { read: Operation; count: number }[]>();
  /** Writes that create entries, in the order of their calls; those without an outcome apart. */
  readonly #writes: Operation[];
  readonly #unknown: Operation[];
  #hash = [0, 0];
  readonly #hashes = new Map<Operation, readonly [number, number]>();

  constructor(
    operations: Operation[],
    storedBefore: Record<string, number>,
    /** Entries that an account may create within a day. */
    readonly cap: number,
  ) {
    for (const [sourceId, count] of Object.entries(storedBefore)) this.#counts.set(sourceId, count);
    const writes = operations.filter(({ creates }) => creates.length > 0).sort((a, b) => a.begun - b.begun);
    this.#writes = writes.filter(({ ended }) => ended !== Number.POSITIVE_INFINITY);
    this.#unknown = writes.filter(({ ended }) => ended === Number.POSITIVE_INFINITY);
    for (const read of operations) {
      for (const { sourceId, count } of read.counts) {
        const reads = this.#readsOfCounts.get(sourceId) ?? [];
        this.#readsOfCounts.set(sourceId, reads);
        reads.push({ read, count });
      }
    }
    for (const reads of this.#readsOfCounts.values()) reads.sort((a, b) => a.count - b.count);
    const next = randomNumbers();
    for (const operation of operations) this.#hashes.set(operation, [next(), next()]);
  }

  countOf(sourceId: string): number {
    return this.#counts.get(sourceId) ?? 0;
  }

  /** The entries that the operation would create now. */
  newOf({ creates, group }: Operation): Entry[] {
    return group?.first ? [] : creates.filter(({ isStored }) => !isStored);
  }

  /** The number of entries of a refused write that would be new now. */
  sizeOf({ newEntries, referenced }: NonNullable<Operation['refusal']>): number {
    return newEntries + referenced.filter(({ isStored }) => !isStored).length;
  }

  /** Of the reads of the sources without a place, the one with the lowest count of this source. */
  lowestCount(sourceId: string): { read: Operation; count: number } | undefined {
    return this.#readsOfCounts.get(sourceId)?.find(({ read }) => !read.isPlaced);
  }

  countReadsOf(sourceId: string): Operation[] {
    return (this.#readsOfCounts.get(sourceId) ?? [])
      .map(({ read }) => read)
      .filter(({ isPlaced }) => !isPlaced);
  }

  /** Writes that create entries, have no place and began before `until`: first those that probably came first. */
  unplacedWrites(until: number, sourceId?: string): Operation[] {
    const found: Operation[] = [];
    for (const writes of [this.#writes, this.#unknown]) {
      for (const write of writes) {
        if (write.begun > until) break;
        if (!write.isPlaced && (sourceId === undefined || sourceOf(write) === sourceId)) found.push(write);
      }
    }
    return found.sort((a, b) => weightOf(a) - weightOf(b));
  }

  place(operation: Operation): void {
    const created = this.newOf(operation);
    for (const entry of created) entry.isStored = true;
    if (operation.group && !operation.group.first) operation.group.first = operation;
    operation.isPlaced = true;
    this.placed.push(operation);
    this.#created.push(created);
    this.#add(operation, created.length);
  }

  undoTo(placed: number): void {
    while (this.placed.length > placed) {
      const operation = this.placed.pop() as Operation;
      const created = this.#created.pop() ?? [];
      for (const entry of created) entry.isStored = false;
      if (operation.group?.first === operation) delete operation.group.first;
      operation.isPlaced = false;
      this.#add(operation, -created.length);
    }
  }

  #add(operation: Operation, created: number): void {
    this.total += created;
    if (created !== 0) {
      const sourceId = sourceOf(operation);
      this.#counts.set(sourceId, this.countOf(sourceId) + created);
    }
    const [a = 0, b = 0] = this.#hashes.get(operation) ?? [];
    this.#hash = [(this.#hash[0] ?? 0) ^ a, (this.#hash[1] ?? 0) ^ b];
  }

  /** Names the state by the operations that have a place: a hash of 64 bits, and the counts. */
  name(): string {
    return [...this.#hash, ...this.#counts.values()].join();
  }
}

/** A fixed sequence of 32-bit numbers (mulberry32). */
function randomNumbers(): () => number {
  let seed = 1;
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return mixed ^ (mixed >>> 14);
  };
}

/** The middle of its interval, or its call after all others if it has no end. */
const weightOf = ({ begun, ended }: Operation) =>
  ended === Number.POSITIVE_INFINITY ? 1e12 + begun : (begun + ended) / 2;
