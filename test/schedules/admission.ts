/**
 * Schedules of the admission: the memory of keys and its recheck, the minute limit in this process, and the quotas of requests. The worker
 * hangs, is unavailable, or reads a key before its revocation and responds after it.
 */
import fc from 'fast-check';
import { createAdmission, rememberKeyAccounts } from '../../gateway/access/admission.ts';
import { createLimits } from '../../gateway/access/limits.ts';
import { ApiError, invalidKey, Unavailable } from '../../gateway/api/errors.ts';
import { createQuotas } from '../../gateway/http/quotas.ts';
import type { Identity, Ledger } from '../../gateway/ledger/client.ts';
import { createScripts, type LimitScripts } from '../../gateway/redis/scripts.ts';
import { ALPHABET, checksum, SECRET_LENGTH } from '../../proto/api-key.ts';
import { rule, type Schedule, schedulesOf } from './schedule.ts';

const PER_MINUTE = 120;
const MINUTE_MS = 60_000;
const CHECK_MS = 500;
const unsigned = `test_live_${ALPHABET.slice(0, SECRET_LENGTH)}`;
const KEY = unsigned + checksum(unsigned);

const plan = fc.record({
  requests: fc.integer({ min: 1, max: 8 }),
  /** Of the key in the last minute, before the schedule. */
  before: fc.constantFrom(0, 0, PER_MINUTE - 2),
  /** Just before the first ones leave the minute. */
  requestsLater: fc.integer({ max: 4, min: 0 }),
  isRevoked: fc.boolean(),
  /** Then every other request is a write. */
  readsOnly: fc.boolean(),
  /** Of each request to the worker in turn. */
  responses: fc.array(fc.constantFrom('responds', 'hangs', 'is unavailable'), { maxLength: 8 }),
});

/** The worker: it reads the key at one moment, and its response arrives at a later one. */
class Worker {
  isRevoked = false;
  pending = 0;
  #requests = 0;
  /** Of those that hang, or are unavailable. */
  failures = 0;

  constructor(
    private readonly schedule: Schedule,
    private readonly responses: readonly string[],
    private readonly readOnly: boolean,
  ) {}

  async authenticate(deadline: number): Promise<Identity> {
    const n = ++this.#requests;
    const response = this.responses[n - 1] ?? 'responds';
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.failures++;
      late.reject(new Unavailable('no worker responded in time'));
    }, deadline - performance.now());
    late.promise.catch(() => {});
    try {
      if (response === 'hangs') await late.promise;
      await Promise.race([this.schedule.happens(`the worker reads the key for request ${n}`), late.promise]);
      if (response === 'is unavailable') {
        this.failures++;
        throw new Unavailable('no worker');
      }
      const { isRevoked } = this;
      await Promise.race([this.schedule.happens(`the response to request ${n} arrives`), late.promise]);
      if (isRevoked) throw invalidKey('revoked');
      return { accountId: 'A', plan: 'pro', readOnly: this.readOnly };
    } finally {
      clearTimeout(timer);
    }
  }
}

export const admission = schedulesOf({
  plan,
  async run(schedule, { requests, requestsLater, before, isRevoked, readsOnly, responses }) {
    const worker = new Worker(schedule, responses, readsOnly);
    const quotas = createQuotas(24, 1);
    let isRedisSlow = false;
    const scripts: LimitScripts = {
      ...createScripts(undefined),
      async count() {
        if (isRedisSlow) await schedule.happens('Redis does not respond, and a request is counted here');
        return undefined;
      },
    };
    const limits = createLimits(scripts, { minuteDecided() {}, writeRefused() {} });
    const admitted: number[] = [];
    const { admit, errorFor, end, inFlight } = createAdmission({
      keyPrefix: 'test',
      requestTimeoutMs: 10_000,
      quotas,
      keyAccounts: rememberKeyAccounts(performance, 10),
      limits,
      ledger: { authenticate: (_, { deadline }) => worker.authenticate(deadline) } as Ledger,
    });
    const newRequest = (method = 'GET') =>
      new Request('http://a.test/', { method, headers: { authorization: `Bearer ${KEY}` } });
    let settled = 0;

    async function send(name: string, isWrite: boolean): Promise<void> {
      const request = newRequest(isWrite ? 'POST' : 'GET');
      const begunAfterRevocation = worker.isRevoked;
      const failures = worker.failures;
      let refusal: unknown = new ApiError('invalid_json', 'malformed');
      let isAdmitted = false;
      try {
        await admit(request, undefined);
        admitted.push(performance.now());
        isAdmitted = true;
      } catch (error) {
        refusal = error;
      }
      rule(!isWrite || !isAdmitted, `${name}, a write by a key that reads only, is admitted`);
      const refusedAt = Date.now();
      const error = await errorFor(request, refusal);
      end(request);
      settled++;
      const text = error instanceof ApiError ? error.code : (error as Error).constructor.name;
      schedule.note(`${name}: ${text}`);
      // A check may wait for an earlier one.
      rule(Date.now() <= refusedAt + 2 * CHECK_MS, `${name} waits too long for the check of its key`);
      const mayBeUnknown = worker.failures > failures || text === 'server_error' || text === 'Unavailable';
      rule(
        !begunAfterRevocation || mayBeUnknown || text === 'invalid_key',
        `${name}, begun after the revocation, is not told so: ${text}`,
      );
      rule(
        !isWrite || mayBeUnknown || text === 'invalid_key' || text === 'read_only_key',
        `${name}, a write by a key that reads only, is not refused as such: ${text}`,
      );
    }

    let broken: unknown;
    const start = (n: number, when = '') =>
      void send(`request ${n}${when}`, readsOnly && n % 2 === 0).catch((error) => {
        broken ??= error;
      });
    schedule.event('the key is used for the first time', () => {
      const keep = async () => {
        for (let n = 0; n < before; n++) {
          const request = newRequest();
          const isAdmitted = await admit(request, undefined).then(
            () => admitted.push(performance.now()),
            () => 0,
          );
          end(request);
          if (!isAdmitted) break;
        }
        isRedisSlow = true;
        const later = (n: number) => setTimeout(() => start(n, ' of a minute later'), MINUTE_MS - 1);
        for (let n = 0; n < requestsLater; n++) later(n);
        for (let n = 0; n < requests; n++) schedule.event(`request ${n} arrives`, () => start(n));
        if (isRevoked)
          schedule.event('the key is revoked', () => {
            worker.isRevoked = true;
          });
      };
      void keep();
    });
    await schedule.run(() => settled === requests + requestsLater || broken !== undefined);
    limits.close();
    if (broken) throw broken;

    for (const [n, first] of admitted.entries()) {
      const next = admitted[n + PER_MINUTE];
      rule(next === undefined || next - first >= MINUTE_MS, '121 requests are admitted within 60 s');
    }
    const { requests: slots, accountRequests, lookups } = quotas;
    const used = [slots.used(), accountRequests.used(), lookups.used(), accountRequests.accounts()];
    rule(used.join() === '0,0,0,0', `left in use of requests, shares, lookups, accounts: ${used}`);
    rule(
      Object.values(inFlight).every((count) => count() === 0),
      'a check of a key is left',
    );
  },
});
