/** An exact sliding window per key in this process. It counts every request, and decides alone while Redis is down. */

export class SlidingWindows {
  readonly #windows = new Map<string, Ring>();

  constructor(
    readonly limit: number,
    readonly windowMs: number,
  ) {}

  /**
   * Undefined while the key's window has room.
   * @param now ms, of a monotonic clock
   */
  rejection(key: string, now: number): { admitted: false; retryAfterMs: number } | undefined {
    const ring = this.#windows.get(key);
    if (!ring) return undefined;
    ring.dropUntil(now - this.windowMs);
    if (ring.size < this.limit) return undefined;
    return { admitted: false, retryAfterMs: ring.oldest + this.windowMs - now };
  }

  /** Counts a request admitted at `now`. @returns how many more the window has room for */
  record(key: string, now: number): number {
    let ring = this.#windows.get(key);
    if (!ring) {
      ring = new Ring(this.limit);
      this.#windows.set(key, ring);
    }
    ring.push(now);
    return this.limit - ring.size;
  }

  /** Removes the keys that admitted nothing within the last window. */
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
