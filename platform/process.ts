/** Start and exit of a process. */
import { constants } from 'node:os';
import type { Logger } from 'pino';
import type { Tracing, TracingOptions } from './tracing.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
let stopDuringStart: (signal: (typeof SIGNALS)[number]) => void = () => {};

/** The start is over: from now on a signal does not end the process, but resolves the promise. */
export function terminationSignal(): Promise<unknown> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.off(signal, stopDuringStart);
      process.once(signal, resolve);
    }
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
 * without a handler also ends the process with 1, after one line with its stack: the state of the process is unknown. So does a signal
 * during the start, with 128 and its number.
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
  // Without a handler the first process of a container ignores a signal: it would start, and be killed while it serves.
  stopDuringStart = (signal) => {
    log.info('stopped during its start');
    void exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.once(signal, stopDuringStart);
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
