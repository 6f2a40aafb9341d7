/** The gateway as a child process. */
import { join } from 'node:path';
import { type Service, spawnChild } from '../processes/child.ts';
import { serviceEnvironment, serviceLine } from './service.ts';

const CHECKOUT = join(import.meta.dir, '../..');
const READY_MS_MAX = 30_000;

export interface GatewayOptions {
  workerAddress: string;
  /** Absent: it keeps the limits in its own memory. */
  redisUrl?: string | undefined;
  host?: string;
  /** 0 (as by default) lets the system choose. */
  port?: number;
  /** The authority of its certificate, as PEM; absent: those that this machine trusts. */
  ca?: string;
  /** What `/readyz` answers once it is up: by default 200. */
  readyStatus?: number;
  /** Beside the environment of this process. */
  env?: Record<string, string>;
  logFile?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface Gateway extends Service {
  /** `http://host:port`, as it listens. */
  url: string;
  /** `host:port`. */
  metricsAddress: string;
}

/** Resolves once it answers as it is expected to. @throws ChildDied */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  options.signal?.throwIfAborted();
  const child = spawnChild({
    name: 'gateway',
    command: [process.execPath, join(CHECKOUT, 'gateway/main.ts')],
    cwd: CHECKOUT,
    env: serviceEnvironment({
      // Nothing stands in front that would have to notice its end.
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
  // Its own grace is 15 s.
  const stop = () => child.stop([['SIGTERM', 20_000]]);
  try {
    const limits = { timeoutMs: READY_MS_MAX, signal: options.signal };
    const { url, metricsAddress } = await child.line(serviceLine('url', 'metricsAddress'), limits);
    const dead = new AbortController();
    child.died.then((death) => dead.abort(death));
    await ready(url, options, AbortSignal.any([dead.signal, ...(options.signal ? [options.signal] : [])]));
    return { name: child.name, pid: child.pid, died: child.died, url, metricsAddress, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ready(
  url: string,
  { ca, readyStatus = 200 }: GatewayOptions,
  signal: AbortSignal,
): Promise<void> {
  const tls = ca === undefined ? {} : { tls: { ca } };
  let answer = 'nothing';
  for (const until = Date.now() + READY_MS_MAX; Date.now() < until; await Bun.sleep(20)) {
    signal.throwIfAborted();
    try {
      const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000), ...tls });
      answer = `${response.status} ${await response.text()}`;
      if (response.status === readyStatus) return;
    } catch (error) {
      answer = (error as Error).message;
    }
  }
  throw new Error(`The gateway is not ready after ${READY_MS_MAX / 1000} s: ${url}/readyz answers ${answer}`);
}
