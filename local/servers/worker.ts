/** The ledger worker as a child process. */
import { join } from 'node:path';
import { type Service, spawnChild } from '../processes/child.ts';
import { CHECKOUT, listening, type StartOptions, serviceEnvironment, serving } from './service.ts';

interface WorkerOptions extends StartOptions {
  databaseUrl: string;
  /** `host:port`; port 0 (as by default) lets the system choose. */
  listenAddress?: string;
  adminAddress?: string;
  /** Added to the environment of this process. */
  env?: Record<string, string>;
}

export interface Worker extends Service {
  /** `host:port`, as it listens. */
  address: string;
  adminAddress: string;
  metricsAddress: string;
}

/** Resolves once it serves. @throws ChildDied */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  options.signal?.throwIfAborted();
  const child = spawnChild({
    name: 'ledger worker',
    command: [...(options.wrapper ?? []), process.execPath, join(CHECKOUT, 'ledger-worker/main.ts')],
    cwd: CHECKOUT,
    env: serviceEnvironment({
      METRICS_ADDRESS: '127.0.0.1:0',
      ...options.env,
      DATABASE_URL: options.databaseUrl,
      LISTEN_ADDRESS: options.listenAddress ?? '127.0.0.1:0',
      ADMIN_ADDRESS: options.adminAddress ?? '127.0.0.1:0',
    }),
    logFile: options.logFile,
  });
  // The worker drains calls for up to 10 s, then the database for up to 5 s.
  const stop = () => child.stop([['SIGTERM', 20_000]]);
  return serving(child, stop, async () => {
    const { address, adminAddress, metricsAddress } = await child.line(listening, options.signal);
    return { address, adminAddress, metricsAddress };
  });
}
