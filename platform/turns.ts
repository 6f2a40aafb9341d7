/** Cuts long work into turns of the event loop. The work is a generator that yields wherever it can pause. */
import { setImmediate } from 'node:timers/promises';

const TURN_MS = 1;
// A longer turn had other work, which may lead to more in the next turn: a request passes through several turns.
const IDLE_TURN_MS = 0.1;
const BUSY_TURNS_MAX = 8;

/** Begins in a turn of its own. Pauses whenever TURN_MS have passed, also before what follows the work. */
export async function inTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    await idleTurn();
    const end = performance.now() + TURN_MS;
    do {
      const { done, value } = work.next();
      if (!done) continue;
      if (performance.now() >= end) await setImmediate();
      return value;
    } while (performance.now() < end);
  }
}

/** Waits for a turn without other work, or for BUSY_TURNS_MAX turns. */
async function idleTurn(): Promise<void> {
  for (let turn = 0; turn < BUSY_TURNS_MAX; turn++) {
    const begun = performance.now();
    await setImmediate();
    if (performance.now() - begun < IDLE_TURN_MS) return;
  }
}

/** Does all of the work at once. */
export function untilDone<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
