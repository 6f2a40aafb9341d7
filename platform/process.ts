/** Start and exit of both processes. */
import type { Logger } from 'pino';

/** Resolves at the first SIGTERM or SIGINT. */
export function terminationSignal(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
}

/** Runs `main` and exits with 0 when it resolves, or with 1 and one sentence in the log when it throws. */
export function run(main: () => Promise<void>, log: Logger): void {
  const exit = async (code: number) => {
    await Promise.race([written(log), Bun.sleep(LAST_LINES_MS_MAX)]);
    process.exit(code);
  };
  main().then(
    () => exit(0),
    (error) => {
      log.fatal(error instanceof Error ? error.message : String(error));
      // The operator needs the sentence; the stack is only for debugging.
      log.debug({ err: error });
      return exit(1);
    },
  );
}

// The reader of the log may be slow.
const LAST_LINES_MS_MAX = 1_000;

/** Resolves once every line of the log is written. */
function written(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()));
}
