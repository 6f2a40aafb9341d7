/** An exact sliding window per key in this process. It counts every request, and decides alone while Redis is down. */

export class SlidingWindows {
  /** The times of admission of each key, oldest first. */
  readonly #windows = new Map<string, number[]>();

  constructor(
    readonly limit: number,
    readonly windowMs: number,
  ) {}

  /**
   * Undefined while the key's window has room.
   * @param now ms, of a monotonic clock
   */
  rejection(key: string, now: number): { admitted: false; retryAfterMs: number } | undefined {
    const times = this.#timesOf(key, now);
    if (times.length < this.limit) return undefined;
    return { admitted: false, retryAfterMs: (times[0] as number) + this.windowMs - now };
  }

  /** Counts a request admitted at `now`. @returns how many more the window has room for */
  record(key: string, now: number): number {
    const times = this.#timesOf(key, now);
    this.#windows.set(key, times);
    return this.limit - times.push(now);
  }

  /** Removes the keys that admitted nothing within the last window. */
  sweep(now: number): void {
    for (const key of this.#windows.keys()) {
      if (this.#timesOf(key, now).length === 0) this.#windows.delete(key);
    }
  }

  /** Without those that have left the window. */
  #timesOf(key: string, now: number): number[] {
    const times = this.#windows.get(key) ?? [];
    while (times[0] !== undefined && times[0] <= now - this.windowMs) times.shift();
    return times;
  }
}
