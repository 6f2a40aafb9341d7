/** The minute in a gateway's own memory, by a clock of the test's own: no test can wait for a real one. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { SlidingWindows } from '../../../gateway/access/limits.ts';
import { runs } from '../../fixtures/runs.ts';

const LIMIT = 3;
const WINDOW_MS = 100;
const KEYS = ['a', 'b'];

const anyStep = fc.record({
  // Often exactly to where something leaves the window.
  passesMs: fc.oneof(fc.constantFrom(0, 1, 50, 99, 100, 101), fc.integer({ min: 0, max: 130 })),
  action: fc.constantFrom('request', 'request', 'request', 'sweep'),
  key: fc.constantFrom(...KEYS),
});

test('it admits, refuses and reports exactly what a list of all admitted times gives, however often it is swept', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
      const windows = new SlidingWindows(LIMIT, WINDOW_MS);
      const admitted = new Map(KEYS.map((key): [string, number[]] => [key, []]));
      let now = 0;
      for (const { passesMs, action, key } of steps) {
        now += passesMs;
        if (action === 'sweep') {
          windows.sweep(now);
          continue;
        }
        const times = admitted.get(key) ?? [];
        const within = times.filter((time) => time > now - WINDOW_MS);
        const refusal = windows.refusal(key, now);
        if (within.length === LIMIT) {
          expect(refusal).toEqual({ admitted: false, retryAfterMs: (within[0] ?? 0) + WINDOW_MS - now });
        } else {
          expect(refusal).toBeUndefined();
          expect(windows.record(key, now)).toBe(LIMIT - within.length - 1);
          times.push(now);
        }
      }
    }),
    { numRuns: runs(1_000) },
  );
});
