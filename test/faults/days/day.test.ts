/** The daily cap is of any 24 hours, not of a calendar day: over midnight, and over both changes of summer time. */
import { expect, setDefaultTimeout } from 'bun:test';
import { dayTest } from './clock.ts';
import { HOUR_MS, MINUTE_MS, startOwnSystem } from './own-system.ts';
import { entries, newOwner } from './owner.ts';

setDefaultTimeout(60_000);

const system = await startOwnSystem();

dayTest.each([
  ['midnight', '2026-06-30T19:00Z', 4],
  // 23 hours later it is the same time of day.
  ['the beginning of summer time', '2026-03-28T19:00Z', 6],
  ['the end of summer time', '2026-10-24T19:00Z', 7],
  ['the end of February', '2028-02-28T19:00Z', 5],
])('over %s, a full day ends 24 hours after it began', async (_, begin, hoursToMidnight) => {
  system.setAll(begin);
  const owner = await newOwner(system);
  await owner.fill();
  const begun = Date.parse(begin);
  const moments = [
    begun + hoursToMidnight * HOUR_MS - MINUTE_MS,
    begun + hoursToMidnight * HOUR_MS + MINUTE_MS,
    begun + 22 * HOUR_MS + 59 * MINUTE_MS,
    begun + 23 * HOUR_MS + MINUTE_MS,
    begun + 24 * HOUR_MS - MINUTE_MS,
  ];
  for (const moment of moments) {
    system.setAll(moment);
    // With a reference the database decides, without one Redis.
    for (const fields of [{}, { externalRef: 'new' }]) {
      const { status, body } = await owner.post({ ...entries(1)[0], ...fields });
      expect([status, body.error?.code, body.error?.remaining]).toEqual([429, 'daily_cap', 0]);
      const left = (begun + 24 * HOUR_MS - moment) / 1_000;
      expect(body.error.retryAfterSeconds).toBeWithin(left - 60, left + 60);
    }
  }
  system.setAll(begun + 24 * HOUR_MS + MINUTE_MS);
  await owner.fill();
  expect((await owner.post(entries(1))).status).toBe(429);
  expect(await owner.transactionCount()).toBe(10_000);
});
