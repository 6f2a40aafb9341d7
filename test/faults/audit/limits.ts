/** Audits both limits: never exceeded, and no `rate_limited` below the limit. linear.ts finds a `daily_cap` below the cap. */
import { LIMITS } from '../../../proto/vocabulary.ts';
import type { Request } from '../history.ts';
import type { Evidence, Violation } from './audit.ts';

const DAY_US = LIMITS.dayWindowMs * 1000;

export function auditLimits(evidence: Evidence): Violation[] {
  const { history, redisUndisturbed } = evidence;
  const byKey = [...Map.groupBy(history.requests, ({ keyId }) => keyId)];
  return [
    ...overCap(evidence),
    ...byKey.flatMap(([, requests]) => [
      ...falseMinute(requests),
      ...(redisUndisturbed ? overMinute(requests) : []),
    ]),
  ];
}

/** Checks the cap by the write log and by the rows. */
function overCap({ books }: Evidence): Violation[] {
  const logged = books.writes.map((write) => ({ ...write, at: write.writtenAt }));
  const stored = books.rows.map(({ accountId, committed }) => ({ accountId, at: committed, created: 1 }));
  return [logged, stored].flatMap((writes) =>
    [...Map.groupBy(writes, ({ accountId }) => accountId)].flatMap(([accountId, ofAccount]): Violation[] => {
      const most = mostWithin(ofAccount, DAY_US);
      if (most <= LIMITS.entriesPerDay) return [];
      return [{ rule: 'over cap', text: `${most} entries within 24 h`, accountId }];
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

/** More requests admitted than the limit, whenever during its duration each request was admitted. */
function overMinute(requests: Request[]): Violation[] {
  const admitted = requests.filter(isAdmitted).sort((a, b) => a.begun - b.begun);
  for (const [index, { begun, accountId, keyId }] of admitted.entries()) {
    const group = admitted.slice(index, index + LIMITS.requestsPerMinute + 1);
    const ended = Math.max(...group.map((each) => each.ended));
    if (group.length <= LIMITS.requestsPerMinute || ended - begun >= LIMITS.minuteWindowMs) continue;
    const text = `${group.length} requests of the key ${keyId} were admitted within ${Math.ceil(ended - begun)} ms`;
    return [{ rule: 'minute', text, accountId }];
  }
  return [];
}

function isAdmitted({ outcome, refused }: Request): boolean {
  return outcome === 200 || outcome === 201 || outcome === 422 || refused === 'daily_cap';
}

// Bun's fetch may resend a GET after its keep-alive connection has broken. The history then has one request for two.
const RESENT_MAX = 4;

/** A `rate_limited` response although the window cannot have contained enough requests. */
function falseMinute(requests: Request[]): Violation[] {
  return requests
    .filter(({ refused }) => refused === 'rate_limited')
    .flatMap((limited): Violation[] => {
      const within = requests.filter(
        ({ begun, ended }) => begun < limited.ended && ended > limited.begun - LIMITS.minuteWindowMs,
      );
      if (within.length + RESENT_MAX > LIMITS.requestsPerMinute) return [];
      const { accountId, keyId } = limited;
      const text = `a request of the key ${keyId} got rate_limited with only ${within.length} requests in its minute`;
      return [{ rule: 'minute', text, accountId }];
    });
}
