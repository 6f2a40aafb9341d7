/** Configuration of the two processes, as the deployment files set it. */
import { readConfig as readGatewayConfig } from '../../gateway/config.ts';
import { readConfig as readWorkerConfig } from '../../ledger-worker/config.ts';

export type ProcessName = 'gateway' | 'ledger-worker';
type Environment = Record<string, string>;

// The worker closes the database connections after the last response.
const DATABASE_CLOSES_MS_MAX = 5_000;

const WORKER_EXAMPLE = { DATABASE_URL: 'postgres://ledger@localhost/ledger' };

export const VARIABLES: Record<ProcessName, string[]> = {
  gateway: Object.keys(readGatewayConfig({})),
  'ledger-worker': Object.keys(readWorkerConfig(WORKER_EXAMPLE)),
};

/** How long a process with this environment may take to end after SIGTERM. @throws Error when it would not start */
export function drainMs(name: ProcessName, env: Environment): number {
  if (name === 'gateway') {
    const { SHUTDOWN_DELAY_MS, SHUTDOWN_GRACE_MS } = readGatewayConfig(env);
    return SHUTDOWN_DELAY_MS + SHUTDOWN_GRACE_MS;
  }
  return readWorkerConfig({ ...WORKER_EXAMPLE, ...env }).SHUTDOWN_GRACE_MS + DATABASE_CLOSES_MS_MAX;
}

export function portOf(name: ProcessName, env: Environment): number {
  if (name === 'gateway') return readGatewayConfig(env).PORT;
  const { LISTEN_ADDRESS } = readWorkerConfig({ ...WORKER_EXAMPLE, ...env });
  return Number(LISTEN_ADDRESS.split(':').at(-1));
}

/** Matches secrets that must not be in a file: a URL with a password, a private key, an API key. */
export const SECRET_VALUE = /:\/\/[^\s/@:]*:[^\s/@]+@|-----BEGIN [A-Z ]*PRIVATE KEY|_live_[A-Za-z0-9]{10}/;
