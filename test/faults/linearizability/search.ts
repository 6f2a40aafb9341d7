/**
 * Searches an order, after Wing and Gong, and Lowe. Operations are intervals. The candidates for the next place are the
 * operations that began before the first unplaced one ended. The search is depth-first, with a list of placed operations
 * to undo and a set of tried states. Most moves are forced: an operation is placed only if the one that ended first needs
 * it.
 */

import { nameOf, type Operation, sourceOf } from './operations.ts';
import type { Request } from './requests.ts';
import type { LinearState } from './state.ts';

/** Why the next operation cannot be placed. */
export interface DeadEnd {
  text: string;
  operations: Operation[];
}

/** Of the dead ends, the one after the most placed operations. */
export type SearchResult = 'found' | 'undecided' | (DeadEnd & { placed: number });

/** A state with untried moves. */
interface Branch {
  placed: number;
  untried: Operation[];
}

export function search(state: LinearState, statesMax: number): SearchResult {
  const branches: Branch[] = [];
  const tried = new Set<string>();
  let deepest: (DeadEnd & { placed: number }) | undefined;
  for (let states = 1; states <= statesMax; states++) {
    const { next } = state;
    if (!next) return 'found';
    const { moves, deadEnds } = new Moves(state, next).all();
    if (moves.length === 0 && (!deepest || state.placed.length > deepest.placed)) {
      deepest = { ...(deadEnds[0] as DeadEnd), placed: state.placed.length };
    }
    if (moves.length > 1) {
      const name = state.name();
      if (tried.has(name)) moves.length = 0;
      else branches.push({ placed: state.placed.length, untried: moves });
      tried.add(name);
    }
    if (moves.length === 1) {
      state.place(moves[0] as Operation);
      continue;
    }
    while (branches.at(-1)?.untried.length === 0) branches.pop();
    const branch = branches.at(-1);
    if (!branch) return deepest as NonNullable<typeof deepest>;
    state.undoTo(branch.placed);
    state.place(branch.untried.shift() as Operation);
  }
  return 'undecided';
}

interface Step {
  operation: Operation;
  /** Why this operation must be placed now. */
  why(): string;
}

/** Other possible creators of an entry of this write. */
const rivalsOf = ({ creates }: Operation) =>
  creates.flatMap(({ creators, isCertain }) => (isCertain ? [] : creators));

/** The operations that can be placed next, such that `goal` gets a place before its end. */
class Moves {
  readonly #moves: Operation[] = [];
  readonly #deadEnds: DeadEnd[] = [];
  readonly #visited = new Set<Operation>();
  /** The path from the goal to the current operation. */
  readonly #path: Step[] = [];

  constructor(
    private readonly state: LinearState,
    private readonly goal: Operation,
  ) {}

  all(): { moves: Operation[]; deadEnds: DeadEnd[] } {
    this.#visit(this.goal, () => '');
    return { moves: this.#moves, deadEnds: this.#deadEnds };
  }

  #visit(operation: Operation, why: Step['why']): void {
    const isOnPath = this.#path.some((step) => step.operation === operation);
    this.#path.push({ operation, why });
    if (isOnPath) this.#deadEnd('Each of them must come before the next, and the last is the first again.');
    else if (operation.begun > this.goal.ended) {
      this.#deadEnd(`But ${operation.request.name} began only after ${this.goal.request.name} took effect.`);
    } else if (!this.#visited.has(operation)) {
      this.#visited.add(operation);
      this.#visitFirst(operation);
    }
    this.#path.pop();
  }

  #visitFirst(operation: Operation): void {
    if (!operation.group?.first && this.#visitEarlier(operation)) return;
    this.#move(operation);
    this.#visitPossiblyEarlier(operation);
  }

  /** Visits the operations that must precede this one. Returns whether there are any. */
  #visitEarlier(operation: Operation): boolean {
    const { request, needs, counts, refusal, creates } = operation;
    const lacking = operation.lackedBy.findLast(({ page }) => !page.isPlaced);
    if (lacking) {
      const { page, entry } = lacking;
      this.#visit(
        page,
        () => `${page.request.name} lacks ${nameOf(entry)}, so it comes before ${request.name}.`,
      );
      return true;
    }
    const needed = needs.find(({ isStored }) => !isStored);
    if (needed) {
      for (const creator of needed.creators) {
        const why = () =>
          `${request.name} names ${nameOf(needed)}, so it comes after ${creator.request.name}.`;
        this.#visit(creator, why);
      }
      return true;
    }
    const differing = [...counts].find(([sourceId, count]) => this.state.countOf(sourceId) !== count);
    if (differing) this.#visitCounted(request, differing);
    const isEarly = refusal && this.state.total + this.state.sizeOf(refusal) <= this.state.cap;
    if (isEarly) this.#visitUntilRefused(request, this.state.sizeOf(refusal));
    return differing !== undefined || isEarly || (creates.length > 0 && this.#cannotCreate(operation));
  }

  /** Visits the writes that may have added the entries counted by a read of the sources. */
  #visitCounted({ name }: Request, [sourceId, count]: [string, number]): void {
    const { state } = this;
    const stored = state.countOf(sourceId);
    const writes = state.unplacedWrites(this.goal.ended, sourceId);
    const most = stored + this.#sizeOf(writes);
    const counts = `${name} counts ${count} entries of the source ${sourceId}`;
    if (stored > count || most < count) this.#deadEnd(`${counts}. There were ${stored} to ${most}.`);
    else for (const write of writes) this.#visit(write, () => `${counts}, more than ${stored}.`);
  }

  /** Visits the writes that may have brought the day to its cap. */
  #visitUntilRefused({ name }: Request, size: number): void {
    const { state } = this;
    const writes = state.unplacedWrites(this.goal.ended);
    const most = state.total + this.#sizeOf(writes);
    const refused = `${name} was refused with daily_cap`;
    if (most + size > state.cap) for (const write of writes) this.#visit(write, () => `${refused}.`);
    else this.#deadEnd(`${refused}: ${size} new entries after at most ${most} of the day.`);
  }

  #sizeOf(writes: Operation[]): number {
    return writes.reduce((sum, write) => sum + this.state.newOf(write).length, 0);
  }

  /** Whether the day has no room for the entries, or an unplaced read of the sources counts fewer. */
  #cannotCreate(operation: Operation): boolean {
    const { state } = this;
    const { name } = operation.request;
    const size = this.#sizeOf([operation]);
    if (state.total + size > state.cap) {
      this.#deadEnd(`${name} creates ${size} entries. Then ${state.total + size} were created in the day.`);
      return true;
    }
    const sourceId = sourceOf(operation);
    const counted = state.countOf(sourceId) + size;
    const read = state.lowestRead(sourceId);
    const count = read?.counts.get(sourceId) ?? counted;
    if (size === 0 || !read || count >= counted) return false;
    const why = () =>
      `${read.request.name} counts ${count} entries of the source ${sourceId}. After ${name} there are ${counted}.`;
    this.#visit(read, why);
    for (const rival of rivalsOf(operation)) this.#visitIfBegun(rival);
    return true;
  }

  /** Reads of the sources, and writes of the same entries, whose order relative to a write matters and is unknown. */
  #visitPossiblyEarlier(write: Operation): void {
    if (this.#sizeOf([write]) === 0) return;
    const others = [...this.state.unplacedReads(sourceOf(write), this.goal.ended), ...rivalsOf(write)];
    for (const other of others) this.#visitIfBegun(other);
  }

  #visitIfBegun(other: Operation): void {
    const isOnPath = this.#path.some(({ operation }) => operation === other);
    if (!other.isPlaced && other.begun <= this.goal.ended && !isOnPath) this.#visit(other, () => '');
  }

  #move(operation: Operation): void {
    if (!this.#moves.includes(operation)) this.#moves.push(operation);
  }

  #deadEnd(text: string): void {
    this.#deadEnds.push({
      text: [...this.#path.map(({ why }) => why()), text].filter((each) => each !== '').join('\n'),
      operations: this.#path.map(({ operation }) => operation),
    });
  }
}
