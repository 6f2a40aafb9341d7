/** Keeps a key below its limit of requests in any minute (docs/api/limits.md). */

const MINUTE_MS = 60_000;
// The clock of the service may be slower.
const MARGIN_MS = 1_000;
export const REQUESTS_PER_MINUTE = 120;

/** The window of the limit, in ms. */
export interface Clock {
  /** Since 1970. */
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

export class Minute {
  /** When each request of the last minute was sent. */
  #sent: number[] = [];

  /** @param pace the most requests in a minute */
  constructor(
    readonly pace: number,
    readonly clock: Clock,
  ) {}

  get left(): number {
    this.#forget();
    return this.pace - this.#sent.length;
  }

  /** Counts a request, and returns the time at which it may be sent. */
  async admit(): Promise<void> {
    while (this.left <= 0) {
      const free = (this.#sent[0] ?? 0) + MINUTE_MS + MARGIN_MS;
      await this.clock.sleep(Math.max(1, free - this.clock.now()));
    }
    this.#sent.push(this.clock.now());
  }

  /** @param remaining of a response: another program may use the key too */
  learn(remaining: string | null): void {
    if (remaining === null || this.pace > REQUESTS_PER_MINUTE) return;
    const used = REQUESTS_PER_MINUTE - Number(remaining);
    while (this.#sent.length < used) this.#sent.push(this.clock.now());
  }

  /** After a 429. @param seconds its Retry-After */
  async refused(seconds: number): Promise<void> {
    await this.clock.sleep((Number.isFinite(seconds) ? seconds : 60) * 1_000);
  }

  #forget(): void {
    const until = this.clock.now() - MINUTE_MS - MARGIN_MS;
    this.#sent = this.#sent.filter((sent) => sent > until);
  }
}
