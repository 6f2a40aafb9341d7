/** Start and exit of both processes. */
import type { Logger } from 'pino';
import type { Tracing, TracingOptions } from './tracing.ts';

export function terminationSignal(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
}

/** Starts tracing. Without a collector, it returns undefined, and the OpenTelemetry SDK is not even loaded. */
export async function startTracing(
  { endpoint, ...options }: TracingOptions,
  log: Logger,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { createTracing } = await import('./opentelemetry.ts');
  return createTracing({ endpoint, ...options }, log);
}

/**
 * Runs `main` and exits with 0 when it resolves, or with 1 and one sentence in the log when it throws. An exception or a rejection
 * without a handler also ends the process with 1, after one line with its stack: the state of the process is unknown.
 */
export function run(main: () => Promise<void>, log: Logger): void {
  const exit = async (code: number) => {
    await Promise.race([written(log), Bun.sleep(LAST_LINES_MS_MAX)]);
    process.exit(code);
  };
  let isEnding = false;
  const fail = (error: unknown) => {
    if (isEnding) return;
    isEnding = true;
    log.fatal({ err: withoutValues(error) }, 'unexpected error');
    void exit(1);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
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

/** The error without its other properties: libraries add rows, parameters and keys to their errors. */
function withoutValues(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(`a value of type ${typeof error} was thrown`);
  const { name, message, stack, code } = error as Error & { code?: unknown };
  return Object.assign(new Error(message), { name, stack, ...(typeof code === 'string' && { code }) });
}

// The reader of the log may be slow.
const LAST_LINES_MS_MAX = 1_000;

function written(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()));
}
