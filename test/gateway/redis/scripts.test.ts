/** The Lua scripts of the limits, in a real Redis, beside the model of them that test/schedules/ uses. */
import { expect } from 'bun:test';
import fc from 'fast-check';
import { SCRIPTS } from '../../../gateway/redis/scripts.ts';
import { redis } from '../../fixtures/redis.ts';
import { runs } from '../../fixtures/runs.ts';
import { testWithRedis } from '../../fixtures/with-redis.ts';
import { Scripts } from '../../schedules/scripts.ts';

const rule = testWithRedis();

const [LIMIT, CAP] = [3, 10];
// So short that requests and entries leave during a pause, or so long that none does.
const WINDOWS_US = [4_000, 3_600_000_000];
const NO_DEADLINE = Number.MAX_SAFE_INTEGER;

const amount = fc.integer({ min: 1, max: CAP });
const step = fc.oneof(
  fc.record({ script: fc.constant('count' as const), isWrite: fc.boolean() }),
  fc.record({ script: fc.constant('readDay' as const), entries: amount }),
  fc.record({ script: fc.constant('recordDay' as const), entries: amount, ageUs: fc.nat({ max: 4_000 }) }),
  fc.record({ script: fc.constant('pause' as const), ms: fc.integer({ min: 1, max: 5 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function argumentsOf(each: Exclude<Step, { script: 'pause' }>, windowUs: number): number[] {
  if (each.script === 'count') return [LIMIT, windowUs, CAP, windowUs];
  return each.script === 'readDay' ? [CAP, windowUs, each.entries] : [windowUs, each.entries, each.ageUs];
}

rule(
  'each script replies as its model does, at the time that Redis reports, and its data lives as long as its window',
  async () => {
    let refusals = 0;
    const steps = fc.array(step, { minLength: 5, maxLength: 25 });
    const property = fc.asyncProperty(steps, fc.constantFrom(...WINDOWS_US), async (steps, windowUs) => {
      const model = new Scripts();
      const id = crypto.randomUUID();
      const [minute, day] = [`ledger:{${id}}:minute:k`, `ledger:{${id}}:day`];
      for (const each of steps) {
        if (each.script === 'pause') {
          await Bun.sleep(each.ms);
          continue;
        }
        const { script } = each;
        const keys = script === 'count' ? [minute, ...(each.isWrite ? [day] : [])] : [day];
        const args = argumentsOf(each, windowUs);
        const { lua } = SCRIPTS[script];
        const reply = await redis.eval(lua, keys.length, ...keys, ...args, NO_DEADLINE);
        const [now, found] = reply as [number, unknown];
        const isStored = script === 'recordDay' || (script === 'count' && (found as number[])[0] === 1);
        // -2 for a key that has expired meanwhile.
        const expiresAtMs = isStored ? await redis.pexpiretime(script === 'count' ? minute : day) : -2;
        if (expiresAtMs > 0) expect(expiresAtMs * 1000).toBeGreaterThanOrEqual(now + windowUs);
        const expected = model.run({ script, keys, args }, now);
        expect([script, found]).toEqual([script, Array.isArray(expected) ? defined(expected) : expected]);
        const [first, second]: number[] = Array.isArray(found) ? found : [];
        if (script === 'count' ? first === 0 : second !== undefined && second > 0) refusals++;
      }
    });
    await fc.assert(property, { numRuns: runs(150) });
    expect(refusals).toBeGreaterThan(50);
  },
);

/** A reply of Redis ends before its first nil. */
const defined = (reply: readonly unknown[]) => reply.filter((value) => value !== undefined);
