/** Keeps a key below its limit of requests in any minute (docs/api/limits.md). */

const MINUTE_MS = 60_000;
// The clock of the service may run a little slower than ours.
const MARGIN_MS = 1_000;
export const REQUESTS_PER_MINUTE = 120;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class Minute {
  /** When each request of the last minute was sent. */
  #sent: number[] = [];

  /** @param pace the most requests in a minute */
  constructor(readonly pace: number) {}

  get left(): number {
    this.#forget();
    return this.pace - this.#sent.length;
  }

  /** Returns when another request may be sent, and counts it. */
  async admit(): Promise<void> {
    while (this.left <= 0) {
      await sleep(Math.max(1, (this.#sent[0] ?? 0) + MINUTE_MS + MARGIN_MS - Date.now()));
    }
    this.#sent.push(Date.now());
  }

  /** @param remaining of a response: another program may use the key too */
  learn(remaining: string | null): void {
    if (remaining === null || this.pace > REQUESTS_PER_MINUTE) return;
    const used = REQUESTS_PER_MINUTE - Number(remaining);
    while (this.#sent.length < used) this.#sent.push(Date.now());
  }

  /** After a 429. @param seconds its Retry-After */
  async refused(seconds: number): Promise<void> {
    await sleep((Number.isFinite(seconds) ? seconds : 60) * 1_000);
  }

  #forget(): void {
    const until = Date.now() - MINUTE_MS - MARGIN_MS;
    this.#sent = this.#sent.filter((sent) => sent > until);
  }
}
