/** The parts of the service that have state, under schedules: a file each. */
import { test } from 'bun:test';
import { admission } from './admission.ts';
import { day } from './day.ts';
import { groupCommit } from './group-commit.ts';
import { hosts } from './hosts.ts';
import { minute } from './minute.ts';
import { quotas } from './quotas.ts';
import { requests } from './requests.ts';

const PARTS = {
  admission,
  'group commit': groupCommit,
  'a request on its way': requests,
  'the minute in Redis': minute,
  'the day in Redis': day,
  'the host of the database': hosts,
  'a quota': quotas,
};

// Of one schedule, on a busy machine: it needs one to three.
const MS_MAX = 120;

/** Registers a test for each part. */
export function testParts(count: number): void {
  for (const [name, run] of Object.entries(PARTS))
    test(
      `${name} keeps its rules in ${count.toLocaleString('en')} schedules`,
      () => run(count),
      count * MS_MAX,
    );
}
