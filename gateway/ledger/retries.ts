/** Repeats requests without a response, until their deadline. A worker may have executed them: each repeats the same ids. */
import { status } from '@grpc/grpc-js';
import { DelegateBackoff, handleType, retry } from 'cockatiel';
import type { Quota } from '../../platform/quota.ts';
import { Unavailable } from '../api/errors.ts';
import { ClientDisconnected } from '../http/request-context.ts';
import { type ExecuteOptions, RpcError } from './multiplexer.ts';

/** A failure that another attempt may cure. Every request can be repeated, because a write has the same id in each attempt. */
class Transient extends Error {}

const TRANSIENT = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.ABORTED,
  status.RESOURCE_EXHAUSTED,
  status.CANCELLED,
]);

// Leaves time for a second attempt, on another worker.
const ATTEMPT_MS_MAX = 5_000;
// Within a fraction of a second: another worker may succeed where one has stopped.
const QUICK_ATTEMPTS = 3;
// When every worker is overloaded, more attempts make it worse.
const OVERLOAD_FAILURES_MAX = 3;

/** The longest pause after so many failures. A pause is a random part of it, so that requests that fail together do not return together. */
const pauseMsMax = (failures: number) => Math.min(20 * 2 ** failures, 500);
const retries = retry(handleType(Transient), {
  // The deadline ends the attempts long before this.
  maxAttempts: 1_000,
  backoff: new DelegateBackoff(({ attempt }) => Math.random() * pauseMsMax(attempt)),
});

/**
 * Runs attempts until one succeeds or fails for good.
 * @param retryQuota the requests that have used their quick attempts
 * @throws Unavailable at the deadline, or when too many other requests have been trying for longer; ClientDisconnected when `signal` aborts
 */
export async function withRetries<Response>(
  { deadline, signal, retryQuota }: { deadline: number; signal: AbortSignal | undefined; retryQuota: Quota },
  attempt: (options: ExecuteOptions) => Promise<Response>,
): Promise<Response> {
  let overloadFailures = 0;
  let failures = 0;
  const reservation = retryQuota.open();
  const failure = (cause: RpcError) => {
    if (cause.code === status.RESOURCE_EXHAUSTED && ++overloadFailures === OVERLOAD_FAILURES_MAX) {
      return new Unavailable('the workers are overloaded', { cause });
    }
    if (performance.now() + pauseMsMax(++failures) >= deadline) {
      return new Unavailable('no worker responded in time', { cause });
    }
    if (failures === QUICK_ATTEMPTS && !reservation.raise(1)) {
      return new Unavailable('too many requests try again', { cause });
    }
    return new Transient('', { cause });
  };
  try {
    return await retries.execute(async () => {
      if (signal?.aborted) throw new ClientDisconnected();
      try {
        return await attempt({ deadline: Math.min(deadline, performance.now() + ATTEMPT_MS_MAX), signal });
      } catch (error) {
        if (signal?.aborted) throw new ClientDisconnected();
        throw error instanceof RpcError && TRANSIENT.has(error.code) ? failure(error) : error;
      }
    });
  } finally {
    reservation.close();
  }
}
