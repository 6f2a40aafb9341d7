/** The start of a server as a child process, and the environment of worker and gateway. */
import { join } from 'node:path';
import type { Child, Service } from '../processes/child.ts';

export const CHECKOUT = join(import.meta.dir, '../..');

export interface StartOptions {
  /** In front of the command: for example `env`, with variables for this program alone. */
  wrapper?: readonly string[] | undefined;
  logFile?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * The server, with the result of `ready`. It is stopped if it does not become ready.
 * @throws ChildDied, or the reason of the signal
 */
export async function serving<Addresses extends object>(
  { name, pid, died }: Child,
  stop: () => Promise<void>,
  ready: () => Promise<Addresses>,
): Promise<Service & Addresses> {
  try {
    return { name, pid, died, stop, ...(await ready()) };
  } catch (error) {
    await stop();
    throw error;
  }
}

// They talk over the loopback without TLS. The caller's environment may have these variables for other commands.
const NO_TLS = Object.fromEntries(
  ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'MTLS_CA_FILE', 'MTLS_CERT_FILE', 'MTLS_KEY_FILE'].map((name) => [
    name,
    undefined,
  ]),
);

/** This process's environment without its certificates, overridden by `own`; undefined in `own` removes a variable. */
export function serviceEnvironment(
  own: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = { ...process.env, ...NO_TLS, ...own };
  // Their address is read from a log line of the level "info".
  if (env.LOG_LEVEL !== 'debug') env.LOG_LEVEL = 'info';
  return env;
}

/** The addresses in the log line `{"msg":"listening",…}`: the URL of a gateway, the addresses of a worker, the metrics of both. */
interface Listening {
  url: string;
  address: string;
  adminAddress: string;
  metricsAddress: string;
}

export const listening = (line: string): Listening | undefined =>
  line.includes('"msg":"listening"') ? JSON.parse(line) : undefined;
