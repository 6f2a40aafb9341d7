/** The exact sliding window of one process: what stands in for Redis, per key. */

export interface Admission {
  admitted: boolean;
  /** Requests left in the current window. */
  remaining: number;
  /** Until the next request would be admitted; 0 while there is room. */
  retryAfterMs: number;
}

export class SlidingWindows {
  readonly #windows = new Map<string, Ring>();

  constructor(
    readonly limit: number,
    readonly windowMs: number,
  ) {}

  /** Whether a request of `key` at `now` (ms, of a clock that never goes back) would be admitted. */
  check(key: string, now: number): Admission {
    const ring = this.#windows.get(key);
    if (!ring) return { admitted: true, remaining: this.limit, retryAfterMs: 0 };
    ring.dropUntil(now - this.windowMs);
    const remaining = this.limit - ring.size;
    return {
      admitted: remaining > 0,
      remaining,
      retryAfterMs: remaining > 0 ? 0 : ring.oldest + this.windowMs - now,
    };
  }

  /** Counts a request that was admitted at `now`. More than the limit are never kept. */
  record(key: string, now: number): void {
    let ring = this.#windows.get(key);
    if (!ring) {
      ring = new Ring(this.limit);
      this.#windows.set(key, ring);
    }
    ring.push(now);
  }

  /** Forgets the keys that admitted nothing within the last window. */
  sweep(now: number): void {
    for (const [key, ring] of this.#windows) {
      ring.dropUntil(now - this.windowMs);
      if (ring.size === 0) this.#windows.delete(key);
    }
  }
}

/** The last `capacity` times, oldest first. */
class Ring {
  readonly #times: Float64Array;
  #first = 0;
  size = 0;

  constructor(capacity: number) {
    this.#times = new Float64Array(capacity);
  }

  get oldest(): number {
    return this.#times[this.#first] as number;
  }

  push(time: number): void {
    if (this.size === this.#times.length) this.#drop();
    this.#times[(this.#first + this.size) % this.#times.length] = time;
    this.size++;
  }

  dropUntil(time: number): void {
    while (this.size > 0 && this.oldest <= time) this.#drop();
  }

  #drop(): void {
    this.#first = (this.#first + 1) % this.#times.length;
    this.size--;
  }
}
