/** The minute of a key while Redis is unavailable, by a clock of the test's own. */
import { afterEach, expect, mock, spyOn, test } from 'bun:test';
import { createLimits } from '../../../gateway/access/limits.ts';
import { createScripts } from '../../../gateway/redis/scripts.ts';

const MINUTE_MS = 60_000;
const CALLER = { keyHash: Buffer.alloc(32, 1), accountId: Bun.randomUUIDv7() };

afterEach(() => {
  mock.restore();
});

test('a request that has waited for Redis in vain is in the minute from its admission on, not from its arrival', async () => {
  const wait = Promise.withResolvers<undefined>();
  const scripts = { ...createScripts(undefined), count: () => wait.promise };
  const limits = createLimits(scripts, { minuteDecided() {}, writeRefused() {} });
  const count = () => limits.count(CALLER, { isWrite: false, span: undefined });
  const clock = spyOn(performance, 'now');
  try {
    clock.mockReturnValue(0);
    const requests = Array.from({ length: 121 }, count);
    clock.mockReturnValue(80);
    wait.resolve(undefined);
    const decisions = await Promise.all(requests);
    expect(decisions.map(({ admitted }) => admitted)).toEqual([...Array(120).fill(true), false]);
    clock.mockReturnValue(MINUTE_MS + 79);
    expect(await count()).toEqual({ admitted: false, retryAfterMs: 1 });
    clock.mockReturnValue(MINUTE_MS + 80);
    expect(await count()).toMatchObject({ admitted: true, remaining: 119 });
  } finally {
    limits.close();
  }
});
