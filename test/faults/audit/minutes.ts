/** Audits the limit of a minute: never exceeded, and no `rate_limited` below it. */
import { LIMITS } from '../../../proto/domain.ts';
import type { Request } from '../history.ts';
import type { Evidence, Violation } from './audit.ts';

const { requestsPerMinute: MAX, minuteWindowMs: MINUTE } = LIMITS;
// Bun's fetch may resend a GET after its keep-alive connection has broken. The history then has one request for two.
const RESENT_MAX = 4;

export function auditMinutes({ history, redisUndisturbed }: Evidence): Violation[] {
  return [...Map.groupBy(history.requests, ({ keyId }) => keyId)].flatMap(([keyId, requests]) => {
    const texts = [...refusedTooEarly(requests), ...(redisUndisturbed ? admittedTooMany(requests) : [])];
    const [{ accountId }] = requests as [Request];
    return texts.map((text): Violation => ({ rule: 'minute', text: `${text}, key ${keyId}`, accountId }));
  });
}

/** More requests than the limit, whenever during its duration each was admitted. */
function admittedTooMany(requests: Request[]): string[] {
  const admitted = requests
    .filter(({ outcome, refused }) => [200, 201, 422].includes(outcome as number) || refused === 'daily_cap')
    .sort((a, b) => a.begun - b.begun);
  return admitted.flatMap(({ begun }, index) => {
    const group = admitted.slice(index, index + MAX + 1);
    const ms = Math.max(...group.map(({ ended }) => ended)) - begun;
    return group.length <= MAX || ms >= MINUTE ? [] : [`${group.length} admitted within ${Math.ceil(ms)} ms`];
  });
}

/** The window cannot have had enough requests. */
function refusedTooEarly(requests: Request[]): string[] {
  return requests.flatMap((limited) => {
    if (limited.refused !== 'rate_limited') return [];
    const from = limited.begun - MINUTE;
    const within = requests.filter(({ begun, ended }) => begun < limited.ended && ended > from).length;
    return within + RESENT_MAX > MAX ? [] : [`rate_limited with ${within} requests in its minute`];
  });
}
