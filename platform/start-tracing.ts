/** Starts tracing where a collector is configured. Without one, the OpenTelemetry SDK is not even loaded. */
import type { Logger } from 'pino';
import type { Tracing, TracingOptions } from './tracing.ts';

/** @returns undefined without a collector */
export async function startTracing(
  { endpoint, ...options }: TracingOptions,
  log: Logger,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { createTracing } = await import('./opentelemetry.ts');
  return createTracing({ endpoint, ...options }, log);
}
