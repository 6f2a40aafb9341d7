/** Repeats requests that may succeed later: at the minute limit, after 5xx and broken connections. The daily cap is left to the push. */
import { LedgerError } from './errors.ts';

/** Why a request waits, and until when. */
export interface Pause {
  reason: 'minute_limit' | 'daily_cap' | 'unavailable';
  until: Date;
}

/** How long a request may wait at the minute limit. A longer wait is not begun: the error is `rate_limited`. */
export interface LimitOptions {
  /** The longest single wait; 5 minutes by default. The service asks for a minute at most. */
  pauseMsMax?: number | undefined;
  /** All waits of one request; 15 minutes by default, since other programs may use the same key. */
  limitTimeoutMs?: number | undefined;
}

/** How long a request has waited so far at each limit, in ms. */
export type Waits = Record<Exclude<Pause['reason'], 'unavailable'>, number>;

export const noWaits = (): Waits => ({ minute_limit: 0, daily_cap: 0 });

export interface RetryOptions extends LimitOptions {
  /** Stops waiting and repeating. A request that has been sent is not cancelled: its outcome would be unknown. */
  signal?: AbortSignal | undefined;
  /** How long to retry a service that fails or cannot be reached. Waits at the minute limit do not count. */
  retryTimeoutMs: number;
  onPause?: ((pause: Pause) => void) | undefined;
  /** A write is also repeated after a response that is not of the API: its outcome is unknown. */
  isWrite?: boolean;
  /** The waits at the minute limit are added. */
  waits?: Waits;
}

/** How long a push retries by default. */
export const PUSH_RETRY_MS = 5 * 60_000;

const FIRST_PAUSE_MS = 200;
const PAUSE_MS_MAX = 10_000;
/** A response that cannot be read stays so if the address is wrong. */
const UNREADABLE_MAX = 4;

/**
 * @param attempt must be safe to repeat; rejects with LedgerError
 * @throws the error of the last attempt; the reason of `signal`
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  {
    signal,
    retryTimeoutMs,
    onPause,
    isWrite = false,
    pauseMsMax = 5 * 60_000,
    limitTimeoutMs = 15 * 60_000,
    waits = noWaits(),
  }: RetryOptions,
): Promise<Result> {
  // Earlier by the waits so far, because all of them are subtracted below.
  const start = Date.now() - waits.minute_limit;
  let failures = 0;
  let unreadable = 0;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      const isUnreadable = isWrite && error.code === 'unexpected_response';
      const reason = reasonToRetry(error) ?? (isUnreadable && ++unreadable < UNREADABLE_MAX && 'unavailable');
      if (!reason) throw error;
      const ms = pauseMs(error, reason === 'unavailable' ? failures++ : 0);
      if (reason === 'unavailable' && Date.now() - start - waits.minute_limit + ms > retryTimeoutMs)
        throw error;
      if (reason === 'minute_limit') {
        waits.minute_limit += ms;
        if (ms > pauseMsMax || waits.minute_limit > limitTimeoutMs) throw error;
      }
      onPause?.({ reason, until: new Date(Date.now() + ms) });
      await sleep(ms, signal);
    }
  }
}

const UNAVAILABLE: ReadonlySet<string> = new Set(['unreachable', 'request_timeout']);

function reasonToRetry({ code, status }: LedgerError): Pause['reason'] | undefined {
  if (code === 'rate_limited') return 'minute_limit';
  if (UNAVAILABLE.has(code)) return 'unavailable';
  // A proxy has limits and timeouts of its own.
  const isOfProxy = (status === 429 || status === 408) && code === 'unexpected_response';
  return isOfProxy || (status !== undefined && status >= 500) ? 'unavailable' : undefined;
}

/** The pause that the service requests, or a growing one, with jitter so that clients do not retry together. */
function pauseMs({ retryAfterSeconds }: LedgerError, failures: number): number {
  const growing = Math.min(FIRST_PAUSE_MS * 2 ** failures, PAUSE_MS_MAX);
  return Math.max((retryAfterSeconds ?? 0) * 1_000, growing) + Math.random() * growing;
}

/** @throws the reason of `signal` */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
