/** The gateway's real parts, from the admission of a request to the streams to the worker. */
import { status } from '@grpc/grpc-js';
import { createAdmission, rememberKeyAccounts } from '../../gateway/access/admission.ts';
import { createLimits } from '../../gateway/access/limits.ts';
import { ApiError } from '../../gateway/api/errors.ts';
import { createQuotas } from '../../gateway/http/quotas.ts';
import type { Caller } from '../../gateway/http/request-context.ts';
import { createLedger } from '../../gateway/ledger/client.ts';
import { createScripts } from '../../gateway/redis/scripts.ts';
import { ALPHABET, checksum, hashApiKey, SECRET_LENGTH } from '../../proto/api-key.ts';
import type { LedgerClient } from '../../proto/client.ts';
import type { Network } from './network.ts';

export const REQUEST_MS = 10_000;

const uuid = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const account = (n: number) => {
  const unsigned = `test_live_${`${ALPHABET[n]}`.repeat(SECRET_LENGTH)}`;
  const key = unsigned + checksum(unsigned);
  return { authorization: `Bearer ${key}`, keyHash: hashApiKey(key), accountId: uuid(n) };
};
export const ACCOUNTS = { A: account(1), B: account(2) };

/** @param network to the worker. @param onFailure called for each attempt that fails */
export function createGateway(network: Network, onFailure: () => void) {
  const quotas = createQuotas(24, 1);
  const limits = createLimits(createScripts(undefined), { minuteDecided() {}, writeRefused() {} });
  const ledger = createLedger(
    {
      address: '',
      security: undefined as never,
      keyPrefix: 'test',
      onTimes() {},
      observer: { rpcFinished: (_, code) => code !== status.OK && onFailure() },
      retryQuota: quotas.retries,
    },
    () => network as unknown as LedgerClient,
  );
  const admission = createAdmission({
    keyPrefix: 'test',
    requestTimeoutMs: REQUEST_MS,
    quotas,
    keyAccounts: rememberKeyAccounts(performance, 10),
    limits,
    ledger,
  });
  const { requests, accountRequests } = quotas;
  const counts = [
    ledger.inFlight,
    admission.inFlight,
    quotas.inFlight,
    { requests: requests.used, shares: accountRequests.used, accounts: accountRequests.accounts },
  ];
  return { admission, ledger, counts, close: limits.close };
}

/**
 * Does what a route does, for a write of one entry, whose amount is the number of the request, or for a read.
 * @returns `created`, the sources, or the error
 */
export async function respond(
  { admission, ledger }: ReturnType<typeof createGateway>,
  request: Request,
  n: number,
  onAdmitted: (caller: Caller) => void,
): Promise<string> {
  try {
    const { caller, context } = await admission.admit(request, undefined);
    onAdmitted(caller);
    if (request.method === 'GET')
      return `the sources of ${(await ledger.listSources(caller, context))[0]?.name}`;
    const id = uuid(100 + n);
    const entry = { date: '2026-01-01', type: 'income' as const, amountPence: n, category: undefined };
    const body = { entries: [entry], pointer: () => '' } as never;
    const write = { sourceId: uuid(9), body, ids: [id], idempotencyKey: undefined };
    const { knownJson } = await ledger.createEntries(caller, write, context);
    return knownJson?.toString() === String(n) ? 'created' : `the outcome of ${knownJson}`;
  } catch (error) {
    const found = (await admission.errorFor(request, error)) as Error;
    return found instanceof ApiError ? found.code : found.constructor.name;
  } finally {
    admission.end(request);
  }
}
