/** An order of the rows of one day in which each follows from the one before. Banks list the rows of a day in any order. */

/** A row as a step from the balance before it to the balance after it. */
export interface Step {
  row: number;
  before: bigint;
  after: bigint;
}

/** A balance, or the one node that is after each end of a trail and before each beginning. */
type Node = bigint | undefined;
interface Edge {
  to: Node;
  step?: Step;
}

/**
 * The steps are the edges of a graph whose nodes are balances, and an order in which each follows is an Eulerian trail: Hierholzer's
 * algorithm finds it. Where there is none, the steps are put into as few trails as possible. `start` is a balance of the day at which it
 * begins, and `startOfNext` finds the one after it, so that what does not follow is in this day and not in the next one.
 */
export function ordered(
  steps: readonly Step[],
  start: bigint,
  startOfNext: () => bigint | undefined,
): Step[] {
  const trails = trailsOf(steps, start);
  if (trails.length === 1) return trails.flat();
  const end = startOfNext();
  const last = trails.find((trail) => trail.at(-1)?.after === end);
  const begin = trails.find((trail) => trail !== last && trail[0]?.before === start);
  const others = trails.filter((trail) => trail !== begin && trail !== last);
  return [begin ?? [], ...others, last ?? []].flat();
}

/** Each step is in one trail, in which it follows from the one before. One of them begins at `first`. */
function trailsOf(steps: readonly Step[], first: bigint): Step[][] {
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
  const trails: Step[][] = [[]];
  const taken = new Set<Step>();
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

/** How many steps more begin than end at each balance. */
function excessOf(steps: readonly Step[]): Map<bigint, number> {
  const excess = new Map<bigint, number>();
  for (const { before, after } of steps) {
    excess.set(before, (excess.get(before) ?? 0) + 1);
    excess.set(after, (excess.get(after) ?? 0) - 1);
  }
  return excess;
}

/** The balances at which the steps can begin: those from which more steps go than come, or any of a circle. */
function startsOf(steps: readonly Step[]): Set<bigint> {
  const begins = [...excessOf(steps)].filter(([, count]) => count > 0).map(([node]) => node);
  return new Set(begins.length > 0 ? begins : steps.map(({ before }) => before));
}

/**
 * The balance at which the first of these days begins, of which nothing else is known. Where its rows are a circle, the days after it decide.
 */
export function startOfFirst(days: Iterable<readonly Step[]>): bigint {
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
