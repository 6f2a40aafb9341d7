/** The state of the books after the placed operations: stored entries, counts, and entries of the day. */
import { random } from '../random.ts';
import { type Entry, type Operation, sourceOf } from './operations.ts';

/** A sorted list of operations that keeps the position of the first unplaced one. */
class Sorted {
  readonly #positions: Map<Operation, number>;
  #first = 0;

  constructor(private readonly operations: readonly Operation[]) {
    this.#positions = new Map(operations.map((operation, position) => [operation, position]));
  }

  get first(): Operation | undefined {
    while (this.operations[this.#first]?.isPlaced) this.#first++;
    return this.operations[this.#first];
  }

  /** The unplaced operations, up to the first that began after `until`. */
  unplaced(until: number): Operation[] {
    const found: Operation[] = [];
    let next = this.first;
    for (let position = this.#first; next && next.begun <= until; next = this.operations[++position]) {
      if (!next.isPlaced) found.push(next);
    }
    return found;
  }

  /** The operation has lost its place. */
  restore(operation: Operation): void {
    this.#first = Math.min(this.#first, this.#positions.get(operation) ?? this.#first);
  }
}

export class LinearState {
  /** The placed operations in order. */
  readonly placed: Operation[] = [];
  total = 0;
  /** The entries that each placed operation created. */
  readonly #created: Entry[][] = [];
  readonly #counts = new Map<string, number>();
  /** Operations with an end, in the order of their ends. */
  readonly #byEnd: Sorted;
  /** Writes that create entries, in the order of their calls; writes without an end in a list of their own. */
  readonly #writes: Sorted;
  readonly #unknown: Sorted;
  /** Reads of the sources, in the order of the source's count. */
  readonly #reads = new Map<string, Sorted>();
  #hash = [0, 0];
  readonly #hashes = new Map<Operation, readonly [number, number]>();

  constructor(
    operations: Operation[],
    /** Entries that an account may create within a day. */
    readonly cap: number,
  ) {
    const hasEnd = ({ ended }: Operation) => ended !== Number.POSITIVE_INFINITY;
    this.#byEnd = new Sorted(operations.filter(hasEnd).sort((a, b) => a.ended - b.ended));
    const writes = operations.filter(({ creates }) => creates.length > 0).sort((a, b) => a.begun - b.begun);
    this.#writes = new Sorted(writes.filter(hasEnd));
    this.#unknown = new Sorted(writes.filter((each) => !hasEnd(each)));
    for (const sourceId of new Set(operations.flatMap(({ counts }) => [...counts.keys()]))) {
      const reads = operations.filter(({ counts }) => counts.has(sourceId));
      const countIn = ({ counts }: Operation) => counts.get(sourceId) ?? 0;
      this.#reads.set(
        sourceId,
        new Sorted(reads.sort((a, b) => countIn(a) - countIn(b) || a.begun - b.begun)),
      );
    }
    const { bits } = random(1);
    for (const operation of operations) this.#hashes.set(operation, [bits(), bits()]);
  }

  countOf(sourceId: string): number {
    return this.#counts.get(sourceId) ?? 0;
  }

  /** The entries that the operation would create now. */
  newOf({ creates, group }: Operation): Entry[] {
    return group?.first ? [] : creates.filter(({ isStored }) => !isStored);
  }

  /** The number of entries of a refused write that are new in this state. */
  sizeOf({ newEntries, referenced }: NonNullable<Operation['refusal']>): number {
    return newEntries + referenced.filter(({ isStored }) => !isStored).length;
  }

  /** The unplaced operation that ended first. */
  get next(): Operation | undefined {
    return this.#byEnd.first;
  }

  /** The unplaced read of the sources with the lowest count of this source. */
  lowestRead(sourceId: string): Operation | undefined {
    return this.#reads.get(sourceId)?.first;
  }

  /** Unplaced reads of the sources that began before `until`. */
  unplacedReads(sourceId: string, until: number): Operation[] {
    return this.#reads.get(sourceId)?.unplaced(until) ?? [];
  }

  /** Unplaced writes that create entries and began before `until`, the probably earliest first. */
  unplacedWrites(until: number, sourceId?: string): Operation[] {
    const writes = [this.#writes, this.#unknown].flatMap((sorted) => sorted.unplaced(until));
    const found = writes.filter((write) => sourceId === undefined || sourceOf(write) === sourceId);
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
      for (const sorted of [this.#byEnd, this.#writes, this.#unknown, ...this.#reads.values()]) {
        sorted.restore(operation);
      }
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

  /** A key of the state, made of the placed operations: a hash of 64 bits, and the counts. */
  name(): string {
    return [...this.#hash, ...this.#counts.values()].join();
  }
}

/** The middle of its interval, or its call after all others if it has no end. */
const weightOf = ({ begun, ended }: Operation) =>
  ended === Number.POSITIVE_INFINITY ? 1e12 + begun : (begun + ended) / 2;
