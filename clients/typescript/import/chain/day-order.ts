/** Finds an order of the rows of a day in which each follows from the previous one. Banks list the rows of a day in any order. */

/** A row as a step from the balance before it to the balance after it. */
export interface BalanceStep {
  row: number;
  before: bigint;
  after: bigint;
}

/** A balance, or the node that joins the ends of all trails to their beginnings. */
type Node = bigint | undefined;
interface Edge {
  to: Node;
  step?: BalanceStep;
}

/**
 * The steps are the edges of a graph whose nodes are balances. An order in which each step follows is an Eulerian trail, which Hierholzer's
 * algorithm finds. Without one, the steps form as few trails as possible. `start` is the balance at which the day begins, and `startOfNext`
 * finds the start of the next day, so that a break is reported in this day and not in the next one.
 */
export function ordered(
  steps: readonly BalanceStep[],
  start: bigint,
  startOfNext: () => bigint | undefined,
): BalanceStep[] {
  const trails = trailsOf(steps, start);
  if (trails.length === 1) return trails.flat();
  const end = startOfNext();
  const last = trails.find((trail) => trail.at(-1)?.after === end);
  const begin = trails.find((trail) => trail !== last && trail[0]?.before === start);
  const others = trails.filter((trail) => trail !== begin && trail !== last);
  return [begin ?? [], ...others, last ?? []].flat();
}

/** Puts each step into one trail, after a step that it follows from. One trail begins at `first`. */
function trailsOf(steps: readonly BalanceStep[], first: bigint): BalanceStep[][] {
  const edges = new Map<Node, Edge[]>();
  const add = (node: Node, edge: Edge) => {
    const from = edges.get(node);
    if (from) from.push(edge);
    else edges.set(node, [edge]);
  };
  // Edges are taken from the end of each list.
  for (const step of steps.toReversed()) add(step.before, { to: step.after, step });
  const excess = excessOf(steps);
  excess.set(first, (excess.get(first) ?? 0) - 1);
  for (const [node, count] of excess) {
    for (let left = count; left > 0; left--) add(undefined, { to: node });
    for (let left = count; left < 0; left++) add(node, { to: undefined });
  }
  add(undefined, { to: first });
  const trails: BalanceStep[][] = [[]];
  const taken = new Set<BalanceStep>();
  const take = (start: Node) => {
    for (const { step } of circuitFrom(start, edges)) {
      if (step) {
        trails.at(-1)?.push(step);
        taken.add(step);
      } else trails.push([]);
    }
    trails.push([]);
  };
  take(undefined);
  // A circle that touches none of the other steps.
  for (const step of steps) if (!taken.has(step)) take(step.before);
  return trails.filter(({ length }) => length > 0);
}

function circuitFrom(start: Node, edges: Map<Node, Edge[]>): Edge[] {
  const path: { node: Node; by?: Edge }[] = [{ node: start }];
  const circuit: Edge[] = [];
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    const edge = edges.get(last.node)?.pop();
    if (edge) path.push({ node: edge.to, by: edge });
    else {
      path.pop();
      if (last.by) circuit.push(last.by);
    }
  }
  return circuit.reverse();
}

/** The number of steps that begin at each balance, less the number that end there. */
function excessOf(steps: readonly BalanceStep[]): Map<bigint, number> {
  const excess = new Map<bigint, number>();
  for (const { before, after } of steps) {
    excess.set(before, (excess.get(before) ?? 0) + 1);
    excess.set(after, (excess.get(after) ?? 0) - 1);
  }
  return excess;
}

/** The possible first balances: each balance from which more steps begin than end, or any balance of a circle. */
function startsOf(steps: readonly BalanceStep[]): Set<bigint> {
  const begins = [...excessOf(steps)].filter(([, count]) => count > 0).map(([node]) => node);
  return new Set(begins.length > 0 ? begins : steps.map(({ before }) => before));
}

/**
 * The balance at which the first of these days begins, if nothing else gives it. If its rows form a circle, the later days decide.
 */
export function startOfFirst(days: Iterable<readonly BalanceStep[]>): bigint {
  let possible: Set<bigint> | undefined;
  for (const steps of days) {
    const starts = startsOf(steps);
    const before: Set<bigint> | undefined = possible;
    const both = before === undefined ? starts : new Set([...starts].filter((start) => before.has(start)));
    if (both.size === 0) break;
    possible = both;
    const isCircle = [...excessOf(steps).values()].every((count) => count === 0);
    if (!isCircle) break;
  }
  return possible?.values().next().value ?? 0n;
}
