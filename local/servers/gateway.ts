/** The gateway as a child process. */
import { join } from 'node:path';
import { type Service, spawnChild, startPatience } from '../processes/child.ts';
import { buildDocsPage } from './builds.ts';
import { CHECKOUT, listening, type StartOptions, serviceEnvironment, serving } from './service.ts';

export interface GatewayOptions extends StartOptions {
  workerAddress: string;
  /** Absent: the gateway keeps the limits in its own memory. */
  redisUrl?: string | undefined;
  host?: string;
  /** 0 (as by default) lets the system choose. */
  port?: number;
  /** The PEM of the CA that has signed its certificate; absent: the CAs that this machine trusts. */
  ca?: string;
  /** The status of `/readyz` to wait for: by default 200. */
  readyStatus?: number;
  /** Added to the environment of this process. */
  env?: Record<string, string>;
}

export interface Gateway extends Service {
  /** `http://host:port`, as it listens. */
  url: string;
  /** `host:port`. */
  metricsAddress: string;
}

/** Resolves once `/readyz` returns the expected status. @throws ChildDied */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  options.signal?.throwIfAborted();
  await buildDocsPage(options.signal);
  const child = spawnChild({
    name: 'gateway',
    command: [...(options.wrapper ?? []), process.execPath, join(CHECKOUT, 'gateway/main.ts')],
    cwd: CHECKOUT,
    env: serviceEnvironment({
      // No load balancer has to notice the shutdown first.
      SHUTDOWN_DELAY_MS: '0',
      METRICS_ADDRESS: '127.0.0.1:0',
      ...options.env,
      HOST: options.host ?? '127.0.0.1',
      PORT: String(options.port ?? 0),
      LEDGER_WORKER_ADDRESS: options.workerAddress,
      REDIS_URL: options.redisUrl,
    }),
    logFile: options.logFile,
  });
  // The gateway drains for up to 15 s.
  const stop = () => child.stop([['SIGTERM', 20_000]]);
  return serving(child, stop, async () => {
    const { url, metricsAddress } = await child.line(listening, options.signal);
    const dead = new AbortController();
    child.died.then((death) => dead.abort(death));
    await ready(url, options, AbortSignal.any([dead.signal, ...(options.signal ? [options.signal] : [])]));
    return { url, metricsAddress };
  });
}

async function ready(
  url: string,
  { ca, readyStatus = 200 }: GatewayOptions,
  signal: AbortSignal,
): Promise<void> {
  const tls = ca === undefined ? {} : { tls: { ca } };
  let lastResult = 'none';
  const patience = startPatience('gateway', () => [`Last response of ${url}/readyz: ${lastResult}`]);
  for (; ; await Bun.sleep(20)) {
    signal.throwIfAborted();
    patience();
    try {
      const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000), ...tls });
      lastResult = `${response.status} ${await response.text()}`;
      if (response.status === readyStatus) return;
    } catch (error) {
      lastResult = (error as Error).message;
    }
  }
}
