/** Cuts long work into turns of the event loop. The work is a generator that yields wherever it can pause. */
import { setImmediate } from 'node:timers/promises';

// A request passes through several turns of either process, and may wait in each of them.
const TURN_MS = 1;

/** Waits for a turn of its own, then for another one whenever TURN_MS have passed, also for what follows the work. */
export async function inTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    await setImmediate();
    const end = performance.now() + TURN_MS;
    do {
      const { done, value } = work.next();
      if (!done) continue;
      if (performance.now() >= end) await setImmediate();
      return value;
    } while (performance.now() < end);
  }
}

/** Does all of the work at once. */
export function untilDone<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
