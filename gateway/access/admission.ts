/**
 * The admission of a request with an API key. Its checks, and their errors in this order:
 *
 *   slot      one of the requests in flight                      503 server_error
 *   key       its form and its checksum                          401 missing_key, invalid_key
 *   account   of the key, remembered or read by the worker       401 invalid_key, 403 upgrade_required; 503 at the limit of lookups
 *   kind      of the key: one that reads only cannot write       403 read_only_key; the request counts in the minute
 *   minute    of the key, which all gateways share in Redis      429 rate_limited
 *   share     the account's part of the requests in flight       503 server_error
 *
 * 401 and 403 come before every other 4xx of these paths. So the key of a known account is checked again before a refusal with a 4xx status is
 * returned, by admission or by the route: `errorFor`. Then `end` releases slot and share.
 */
import { LRUCache } from 'lru-cache';
import type { InFlightCounts } from '../../platform/metrics.ts';
import type { Reservation } from '../../platform/quota.ts';
import type { Span } from '../../platform/tracing.ts';
import { hashApiKey, isWellFormedApiKey } from '../../proto/api-key.ts';
import { LIMITS } from '../../proto/domain.ts';
import { ApiError, invalidKey, missingKey, overloaded, readOnlyKey } from '../api/errors.ts';
import { minuteHeaders, retryAfterSeconds } from '../api/rate-limit-headers.ts';
import type { Quotas } from '../http/quotas.ts';
import type { Caller, RequestContext } from '../http/request-context.ts';
import type { Identity, Ledger } from '../ledger/client.ts';
import type { Limits } from './limits.ts';

export interface Admission {
  admit(request: Request, span: Span | undefined): Promise<Admitted>;
  /** The error to respond with: `error`, or the worker's refusal of the key. Waits for the worker up to 500 ms, and for an earlier check. */
  errorFor(request: Request, error: unknown): Promise<unknown>;
  end(request: Request): void;
  /** Responses that clients have not read, with a key or without. */
  unread(server: Server | null): number;
  /** Whether there is room for a request without a key, which `unread` counts already. */
  admitsUnauthenticated(server: Server | null): boolean;
  inFlight: InFlightCounts;
}

interface Admitted {
  caller: Caller;
  context: RequestContext;
  remaining: number;
  entriesLeft: number | undefined;
}

interface AdmissionOptions {
  keyPrefix: string;
  /** For the work on one request, without the arrival of its body. */
  requestTimeoutMs: number;
  quotas: Quotas;
  keyAccounts: KeyAccounts;
  limits: Pick<Limits, 'count'>;
  ledger: Ledger;
}

/** Bun's count of requests whose response is not sent in full. */
type Server = { pendingRequests: number };

interface Holder {
  slot: Reservation;
  share?: Reservation;
  /** Known from the account on. */
  caller?: Caller;
}

export function createAdmission(options: AdmissionOptions): Admission {
  const { keyPrefix, requestTimeoutMs, quotas, keyAccounts, limits, ledger } = options;
  const holders = new Map<Request, Holder>();
  const checks = createKeyChecks(ledger);

  /** The account and the kind of a key: remembered, or read by the worker. */
  async function accountOf(keyHash: Buffer, context: RequestContext): Promise<KeyAccount> {
    const name = keyHash.toString('base64');
    const remembered = keyAccounts.get(name);
    if (remembered !== undefined) return remembered;
    const lookup = quotas.lookups.open();
    if (!lookup.raise(1)) throw overloaded();
    try {
      const { accountId, readOnly } = await ledger.authenticate(keyHash, context);
      const account = { accountId, readOnly };
      keyAccounts.set(name, account);
      return account;
    } finally {
      lookup.close();
    }
  }

  function unread(server: Server | null): number {
    // The work for a client that has disconnected may continue.
    const connected = [...holders.keys()].filter(({ signal }) => !signal.aborted);
    return (server?.pendingRequests ?? 0) - connected.length;
  }

  return {
    async admit(request, span) {
      const holder: Holder = { slot: quotas.requests.open() };
      if (!holder.slot.raise(1)) throw overloaded();
      holders.set(request, holder);
      const context = { deadline: performance.now() + requestTimeoutMs, signal: request.signal, span };

      const keyHash = keyHashOf(request.headers.get('authorization'), keyPrefix);

      const { accountId, readOnly } = await accountOf(keyHash, context);
      const caller = { keyHash, accountId };
      holder.caller = caller;

      const minute = await limits.count(caller, { isWrite: isWrite(request), span });
      // It counts in the minute, and 403 comes before 429.
      if (readOnly && isWrite(request)) throw readOnlyKey();
      if (!minute.admitted) throw rateLimited(minute.retryAfterMs);

      // Only now: 429 comes before 503.
      holder.share = quotas.accountRequests.open(accountId);
      if (!holder.share.raise(1)) throw overloaded();
      return { caller, context, remaining: minute.remaining, entriesLeft: minute.entriesLeft };
    },

    async errorFor(request, error) {
      const caller = holders.get(request)?.caller;
      // A fault of the service is reported at once.
      const isRefusal = error instanceof ApiError && error.status < 500 && !error.isKeyChecked;
      if (!caller || !isRefusal) return error;
      return checkedError(error, async () => {
        const { readOnly } = await checks.run(caller.keyHash);
        if (readOnly && isWrite(request)) throw readOnlyKey();
      });
    },

    end(request) {
      const { slot, share } = holders.get(request) ?? {};
      slot?.close();
      share?.close();
      holders.delete(request);
    },

    unread,
    admitsUnauthenticated: (server) => unread(server) <= quotas.unauthenticatedMax,
    inFlight: { key_checks: checks.pending },
  };
}

const isWrite = ({ method }: Request) => method === 'POST';

type KeyAccount = Pick<Identity, 'accountId' | 'readOnly'>;
type KeyAccounts = ReturnType<typeof rememberKeyAccounts>;

const ACCOUNTS_MAX = 50_000;
const ACCOUNT_TTL_MS = 5 * 60 * 1000;

/**
 * The account of each key that this process has seen, and whether the key reads only. Neither ever changes. It decides nothing: the worker
 * checks the key in the transaction that does the work.
 * @param clock in ms. @param max keys; their memory is taken at once
 */
export function rememberKeyAccounts(clock: { now(): number } = performance, max = ACCOUNTS_MAX) {
  // By default each lookup starts a timer.
  return new LRUCache<string, KeyAccount>({ max, ttl: ACCOUNT_TTL_MS, ttlResolution: 0, perf: clock });
}

const CHECK_MS_MAX = 500;
// Requests share a check, so none of them may cancel it.
const NEVER_ABORTED = new AbortController().signal;
const checkContext = () => ({ deadline: performance.now() + CHECK_MS_MAX, signal: NEVER_ABORTED });

/**
 * The error to respond with: the one that the check of the worker finds within 500 ms, else `error`.
 * @param check a request to the worker, which checks the key as well
 */
export async function checkedError(
  error: ApiError,
  check: (context: RequestContext) => Promise<unknown>,
): Promise<ApiError> {
  const found = await check(checkContext()).catch((failure: unknown) => failure);
  return (found instanceof ApiError ? found : error).keyChecked();
}

/**
 * Concurrent checks of a key share one request to the worker, which begins after all of them: an earlier response may be older than a
 * revocation.
 */
function createKeyChecks(ledger: Ledger) {
  const pending = new Map<string, Promise<Identity>>();
  return {
    /** @throws the error of the worker */
    async run(keyHash: Buffer): Promise<Identity> {
      const key = keyHash.toString('hex');
      await pending.get(key)?.catch(() => {});
      let check = pending.get(key);
      if (!check) {
        check = ledger.authenticate(keyHash, checkContext()).finally(() => pending.delete(key));
        pending.set(key, check);
      }
      return check;
    },
    pending: () => pending.size,
  };
}

function keyHashOf(authorization: string | null, keyPrefix: string): Buffer {
  const bearer = /^Bearer(?:\s+(.*))?$/i.exec(authorization ?? '');
  if (!bearer) throw missingKey();
  const key = bearer[1]?.trim() ?? '';
  if (!isWellFormedApiKey(keyPrefix, key)) {
    throw invalidKey('The API key is malformed: copy it whole, or create a new one in the app.');
  }
  return hashApiKey(key);
}

function rateLimited(retryAfterMs: number): ApiError {
  const seconds = retryAfterSeconds(retryAfterMs);
  return new ApiError(
    'rate_limited',
    `This key has made ${LIMITS.requestsPerMinute} requests within a minute. The next one is admitted in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds), ...minuteHeaders(0, seconds) } },
  );
}
