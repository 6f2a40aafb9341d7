/**
 * Runs real classes of the service under a schedule: a test decides which pending event happens next, and when time passes. The same seed
 * gives the same schedules.
 *
 * `fc.scheduler` has the same idea, but a failing order of events does not shrink there. Here an order is a list of numbers, which shrinks to
 * the shortest list, and to the oldest pending event at each step.
 */
import { jest } from 'bun:test';
import fc from 'fast-check';

/** A part of the service, with model peers, and the rules that hold in each schedule. */
interface Part<Plan> {
  /** The requests, and the behaviour of the peers. */
  plan: fc.Arbitrary<Plan>;
  /** @throws Error that names the broken rule */
  run(schedule: Schedule, plan: Plan): Promise<void>;
}

const SEED = Number(process.env.SCHEDULE_SEED ?? 1);
const STEPS_MAX = 2_000;
const START = Date.UTC(2026, 0, 1);
const realImmediate = setImmediate;
const realRandom = Math.random;

interface Event {
  label: string;
  happen(): void;
}

export class Schedule {
  #events: Event[] = [];
  #turns: (() => void)[] = [];
  readonly #rules: (() => void)[] = [];
  readonly #lines: string[] = [];
  readonly #startedAt = Date.now();

  #isCalm = false;

  /** @param choices which of the pending events happens at each step; the oldest after the last number */
  constructor(private readonly choices: readonly number[]) {}

  /** From now on, the event may happen at any step. */
  event(label: string, happen: () => void): void {
    this.#events.push({ label, happen });
  }

  /** Resolves when the event happens. */
  happens(label: string): Promise<void> {
    return new Promise((resolve) => this.event(label, resolve));
  }

  /** From now on, the oldest event happens, and time passes only where there is none. */
  calm(): void {
    this.#isCalm = true;
  }

  /** Adds a line to the printed schedule. */
  note(text: string): void {
    this.#lines.push(`${String(Date.now() - this.#startedAt).padStart(7)} ms  ${text}`);
  }

  turn(callback: () => void): void {
    this.#turns.push(callback);
  }

  /** @param check throws an Error unless its rule holds. Called whenever all work of a moment is done, before time passes */
  always(check: () => void): void {
    this.#rules.push(check);
  }

  /** Runs until nothing is pending but timers, and `isDone`. The end of the event loop's turn comes before time passes. */
  async run(isDone: () => boolean): Promise<void> {
    for (let step = 0; ; step++) {
      await untilSettled();
      const hasTurn = this.#turns.length > 0;
      const mayTimePass = !hasTurn && jest.getTimerCount() > 0;
      const others = (hasTurn ? 1 : 0) + this.#events.length;
      if (others === 0 && (isDone() || !mayTimePass)) return;
      if (step === STEPS_MAX) throw new Error(`no end after ${STEPS_MAX} steps`);
      const chosen = this.#isCalm ? 0 : (this.choices[step] ?? 0);
      const choice = chosen % (others + (mayTimePass ? 1 : 0));
      if (choice === others) this.#passTime();
      else if (hasTurn && choice === 0) this.#endTurn();
      else this.#happen(choice - (hasTurn ? 1 : 0));
    }
  }

  /** Runs until the work is done. */
  async until<Result>(work: Promise<Result>): Promise<Result> {
    let isDone = false;
    void work.finally(() => {
      isDone = true;
    });
    await this.run(() => isDone);
    return work;
  }

  #passTime(): void {
    for (const check of this.#rules) check();
    jest.advanceTimersToNextTimer();
  }

  #endTurn(): void {
    const turns = this.#turns;
    this.#turns = [];
    for (const callback of turns) callback();
  }

  #happen(index: number): void {
    const [event] = this.#events.splice(index, 1);
    this.note(`${event?.label}`);
    event?.happen();
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}

/** All promises that can settle have settled. */
const untilSettled = () => new Promise<void>((resolve) => realImmediate(() => resolve()));

/** Puts time, the end of the event loop's turn and chance under the schedule while `work` runs. */
async function controlled(choices: readonly number[], work: (schedule: Schedule) => Promise<void>) {
  jest.useFakeTimers({ now: START });
  const schedule = new Schedule(choices);
  let random = 1;
  Math.random = () => {
    random = (random * 48_271) % 2_147_483_647;
    return random / 2_147_483_647;
  };
  globalThis.setImmediate = ((callback: () => void) => schedule.turn(callback)) as typeof setImmediate;
  try {
    await work(schedule);
  } catch (error) {
    throw new Error(`${(error as Error).message}\nThe schedule:\n${schedule}\n`, { cause: error });
  } finally {
    globalThis.setImmediate = realImmediate;
    Math.random = realRandom;
    jest.clearAllTimers();
    jest.useRealTimers();
  }
}

/** @returns a function that runs the part under `count` schedules. It throws an Error with the broken rule and the shortest schedule found */
export function schedulesOf<Plan>({ plan, run }: Part<Plan>): (count: number) => Promise<void> {
  const choices = fc.array(fc.nat({ max: 11 }), { maxLength: 60, size: 'max' });
  const property = fc.asyncProperty(plan, choices, (planned, chosen) =>
    controlled(chosen, (schedule) => run(schedule, planned)),
  );
  return async (count) => {
    const { failed, errorInstance, numShrinks } = await fc.check(property, { seed: SEED, numRuns: count });
    if (!failed) return;
    const { message } = errorInstance as Error;
    throw new Error(`SCHEDULE_SEED=${SEED}, made shorter ${numShrinks} times: ${message}`);
  };
}

/** @throws Error that names the rule unless it holds */
export function rule(holds: boolean, text: string): asserts holds {
  if (!holds) throw new Error(text);
}
