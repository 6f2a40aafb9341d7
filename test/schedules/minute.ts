/**
 * Schedules of the minute limit in Redis: two gateways, and a Redis that executes late, loses replies, refuses writes, is connected to again,
 * and whose clock is set.
 */
import fc from 'fast-check';
import { createLimits } from '../../gateway/access/limits.ts';
import { createScripts } from '../../gateway/redis/scripts.ts';
import { type Opening, Redis, type Reply } from './redis.ts';
import { rule, schedulesOf } from './schedule.ts';

const PER_MINUTE = 120;
const MINUTE_MS = 60_000;
const CALLER = { keyHash: Buffer.alloc(32), accountId: 'A' };
const HOUR_US = 3_600_000_000;

const plan = fc.record({
  /** In Redis before the schedule, of a third gateway. */
  before: fc.constantFrom(0, PER_MINUTE - 3, PER_MINUTE - 1),
  /** The gateway of each request, now and just before and after the first ones leave the minute. */
  requests: fc.array(fc.nat({ max: 1 }), { minLength: 1, maxLength: 6 }),
  requestsLater: fc.array(fc.nat({ max: 1 }), { maxLength: 5 }),
  replies: fc.array(fc.constantFrom<Reply>('replies', 'loses the reply', 'does not accept writes'), {
    maxLength: 4,
  }),
  openings: fc.array(fc.constantFrom<Opening>('connects', 'is refused', 'hangs'), { maxLength: 2 }),
  clockSetUs: fc.constantFrom(0, 0, -HOUR_US, HOUR_US),
});

export const minute = schedulesOf({
  plan,
  async run(schedule, { before, requests, requestsLater, replies, openings, clockSetUs }) {
    const redis = new Redis(schedule, replies, openings);
    redis.seed(`ledger:{A}:minute:${CALLER.keyHash.toString('hex')}`, before);
    const gateways = [0, 1].map((n) => {
      const deployment = redis.connect(`gateway ${n}`);
      const decided: string[] = [];
      const observer = {
        minuteDecided: (decision: string, mode: string) => decided.push(`${decision} ${mode}`),
        writeRefused() {},
      };
      return { deployment, decided, limits: createLimits(createScripts(deployment), observer) };
    });
    // Both are connected when the first requests arrive, if they can be.
    await schedule.run(() => gateways.every(({ deployment }) => deployment.isUp()) || openings.length > 0);
    let settled = 0;
    const send = (gateway: number) =>
      gateways[gateway]?.limits.count(CALLER, { isWrite: false, span: undefined }).then(({ admitted }) => {
        schedule.note(`${admitted ? 'admitted' : 'refused'} by gateway ${gateway}`);
        settled++;
      });
    for (const gateway of requests)
      schedule.event(`a request to gateway ${gateway}`, () => void send(gateway));
    for (const [n, gateway] of requestsLater.entries())
      setTimeout(() => void send(gateway), MINUTE_MS - 10 + 5 * n);
    if (clockSetUs !== 0)
      schedule.event("Redis's clock is set", () => {
        redis.aheadUs += clockSetUs;
      });
    await schedule.run(() => settled === requests.length + requestsLater.length);
    redis.requireRules(clockSetUs);

    const shared = gateways.flatMap(({ decided }) =>
      decided.filter((text) => text === 'admitted shared'),
    ).length;
    const counted = redis.commands.flatMap(({ call, executions }) =>
      call.script === 'count' ? executions.filter(({ reply }) => (reply as number[])[0] === 1) : [],
    );
    rule(shared <= counted.length, 'a request is admitted by Redis, and not counted there');
    // A clock that is set forward ends the minute of Redis.
    const times = [...Array(before).fill(-1), ...counted.map(({ at }) => at).sort((a, b) => a - b)];
    for (const [n, first] of times.entries()) {
      const next = times[n + PER_MINUTE];
      rule(
        next === undefined || next - first >= MINUTE_MS || clockSetUs > 0,
        'Redis counts 121 requests within 60 s',
      );
    }
    for (const { limits } of gateways) limits.close();
    redis.heal();
    schedule.calm();
    const isShared = () => gateways.every(({ deployment }) => deployment.isUp());
    const end = performance.now() + 2_000;
    await schedule.run(isShared);
    rule(isShared() && performance.now() <= end, 'Redis is back, and is not used');
    for (const { deployment } of gateways) deployment.close();
  },
});
