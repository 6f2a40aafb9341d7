/** Audits both limits: never exceeded, and no 429 below the limit. */
import { LIMITS } from '../../../proto/vocabulary.ts';
import { isRefused, type Request, writesIn } from '../history.ts';
import type { Evidence, Violation } from './audit.ts';

const DAY_US = LIMITS.dayWindowMs * 1000;

export function auditLimits(evidence: Evidence): Violation[] {
  const { history, redisUndisturbed } = evidence;
  const byKey = [...Map.groupBy(history.requests, ({ keyId }) => keyId)];
  return [
    ...overCap(evidence),
    ...writesIn(history).flatMap((write) => (write.code === 'daily_cap' ? falseCap(write, evidence) : [])),
    ...byKey.flatMap(([, requests]) => [
      ...falseMinute(requests),
      ...(redisUndisturbed ? overMinute(requests) : []),
    ]),
  ];
}

/** Checks the cap by the write log and by the rows. */
function overCap({ books }: Evidence): Violation[] {
  const logged = books.writes.map(({ accountId, writtenAt, created }) => ({
    accountId,
    at: writtenAt,
    created,
  }));
  const stored = books.rows.map(({ accountId, committed }) => ({ accountId, at: committed, created: 1 }));
  return [logged, stored].flatMap((writes) =>
    [...Map.groupBy(writes, ({ accountId }) => accountId)].flatMap(([accountId, ofAccount]): Violation[] => {
      const most = mostWithin(ofAccount, DAY_US);
      if (most <= LIMITS.entriesPerDay) return [];
      return [{ rule: 'over cap', text: `${most} entries within 24 h`, accountId, operations: [] }];
    }),
  );
}

function mostWithin(writes: { at: number; created: number }[], window: number): number {
  const ascending = writes.toSorted((a, b) => a.at - b.at);
  let [most, sum, first] = [0, 0, 0];
  for (const { at, created } of ascending) {
    sum += created;
    while ((ascending[first]?.at ?? at) <= at - window) sum -= ascending[first++]?.created ?? 0;
    most = Math.max(most, sum);
  }
  return most;
}

/** A `daily_cap` response although all entries that could have been stored by then leave room. */
function falseCap(write: ReturnType<typeof writesIn>[number], { history }: Evidence): Violation[] {
  const { accountId, operation } = write;
  const others = new Map(
    writesIn(history)
      .filter((each) => each.accountId === accountId && each.begun < write.ended && !isRefused(each))
      .map((each) => [each.operation.name, each.operation.entries.length]),
  );
  const storedAtMost = [...others.values()].reduce((sum, count) => sum + count, 0);
  if (storedAtMost + operation.entries.length > LIMITS.entriesPerDay) return [];
  const text = `${operation.name} got daily_cap with at most ${storedAtMost} entries stored`;
  return [{ rule: 'wrong response', text, accountId, operations: [operation.name] }];
}

/** More requests admitted than the limit, whenever during its duration each request was admitted. */
function overMinute(requests: Request[]): Violation[] {
  const admitted = requests.filter(isAdmitted).sort((a, b) => a.begun - b.begun);
  for (const [index, { begun, accountId, keyId }] of admitted.entries()) {
    const group = admitted.slice(index, index + LIMITS.requestsPerMinute + 1);
    const ended = Math.max(...group.map((each) => each.ended));
    if (group.length <= LIMITS.requestsPerMinute || ended - begun >= LIMITS.minuteWindowMs) continue;
    const text = `${group.length} requests of the key ${keyId} were admitted within ${Math.ceil(ended - begun)} ms`;
    return [{ rule: 'minute', text, accountId, keyId, operations: [] }];
  }
  return [];
}

function isAdmitted({ outcome, code }: Request): boolean {
  return outcome === 200 || outcome === 201 || outcome === 422 || code === 'daily_cap';
}

// Bun's fetch may resend a GET after its keep-alive connection has broken. The history then has one request for two.
const RESENT_MAX = 4;

/** A `rate_limited` response although the window cannot have contained enough requests. */
function falseMinute(requests: Request[]): Violation[] {
  return requests
    .filter(({ code }) => code === 'rate_limited')
    .flatMap((limited): Violation[] => {
      const within = requests.filter(
        ({ begun, ended }) => begun < limited.ended && ended > limited.begun - LIMITS.minuteWindowMs,
      );
      if (within.length + RESENT_MAX > LIMITS.requestsPerMinute) return [];
      const { accountId, keyId } = limited;
      const text = `a request of the key ${keyId} got rate_limited with only ${within.length} requests in its minute`;
      return [{ rule: 'minute', text, accountId, keyId, operations: [] }];
    });
}
