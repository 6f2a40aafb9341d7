/** Waiting for what another process does. */

const WAIT_MS_MAX = 10_000;
const POLL_MS = 20;

/** Asks again and again until the answer is a yes. @throws Error naming `what` after `waitMs`, by default 10 s */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  waitMs = WAIT_MS_MAX,
): Promise<void> {
  for (const end = Date.now() + waitMs; !(await holds()); await Bun.sleep(POLL_MS)) {
    if (Date.now() > end) throw new Error(`Still waiting after ${waitMs / 1000} s: ${what}`);
  }
}
