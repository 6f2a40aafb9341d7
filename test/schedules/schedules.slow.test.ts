/** Each part of the service that has state, under 10,000 schedules. */
import { expect, test } from 'bun:test';
import { PARTS } from './parts.ts';
import { runSchedules } from './schedule.ts';

test.each(PARTS.map((part) => [part.name, part] as const))(
  '%s keeps its rules in 10,000 schedules',
  async (_, part) => {
    expect(await runSchedules(part, 10_000)).toBeUndefined();
  },
);
