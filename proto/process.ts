/** How both processes begin and end. */
import type { Logger } from 'pino';

/** Resolves at the first SIGTERM or SIGINT: the time to drain. */
export function terminationSignal(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
}

/** Runs a process's `main` and exits: with 0 when it ends, with 1 and one sentence in the log when it fails. */
export function run(main: () => Promise<void>, log: Logger): void {
  main().then(
    () => process.exit(0),
    (error) => {
      log.fatal(error instanceof Error ? error.message : String(error));
      // The sentence is for whoever starts it; the stack for whoever asks.
      log.debug({ err: error });
      process.exit(1);
    },
  );
}
