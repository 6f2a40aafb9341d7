/** The health check of a host of the database. */

/** The limit of a check, and the statement timeout of a connection for checks. */
export const CHECK_MS_MAX = 1_000;

/**
 * @param probe a statement on a connection of its own: a check must not wait for other statements
 * @returns a function that checks whether the probe succeeds within `ms`; at most one probe runs, since one that hangs holds the connection
 */
export function healthCheck(probe: () => Promise<unknown>): (ms?: number) => Promise<boolean> {
  let pending: Promise<boolean> | undefined;
  return (ms = CHECK_MS_MAX) => {
    pending ??= probe()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        pending = undefined;
      });
    return Promise.race([pending, Bun.sleep(ms).then(() => false)]);
  };
}
