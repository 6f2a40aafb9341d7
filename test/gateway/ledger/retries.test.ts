/** Attempts at a request of the worker, by a clock of the test's own. */
import { afterEach, expect, mock, spyOn, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import { Unavailable } from '../../../gateway/api/errors.ts';
import { RpcError } from '../../../gateway/ledger/multiplexer.ts';
import { withRetries } from '../../../gateway/ledger/retries.ts';
import { createQuota } from '../../../platform/quota.ts';

const DEADLINE = 1_000_000;
const LONGEST_BACKOFF_MS = 500;
const ATTEMPT_MS_MAX = 5_000;

afterEach(() => {
  mock.restore();
});

/**
 * Attempts that begin `beginMs` before the deadline. The first one fails `failMs` before it, and the second one succeeds.
 * @returns the deadline of each attempt, and how the request ended
 */
async function attempts(beginMs: number, failMs: number) {
  const deadlines: number[] = [];
  const clock = spyOn(Date, 'now');
  clock.mockReturnValue(DEADLINE - beginMs);
  const options = { deadline: DEADLINE, signal: undefined, retrying: createQuota(1) };
  const outcome = await withRetries(options, async ({ deadline }) => {
    deadlines.push(deadline);
    if (deadlines.length > 1) return 'a response';
    clock.mockReturnValue(DEADLINE - failMs);
    throw new RpcError(status.UNAVAILABLE, 'no worker');
  }).catch((error) => error);
  return { deadlines, outcome };
}

test('no attempt begins at the deadline or after it, however long the backoff is', async () => {
  const late = await attempts(900, LONGEST_BACKOFF_MS);
  expect(late.deadlines).toHaveLength(1);
  expect(late.outcome).toBeInstanceOf(Unavailable);
  expect(late.outcome.message).toBe('no worker responded in time');
  const inTime = await attempts(900, LONGEST_BACKOFF_MS + 1);
  expect([inTime.deadlines.length, inTime.outcome]).toEqual([2, 'a response']);
});

test('an attempt has 5 s at most, so that another worker gets the next one, and no longer than the request', async () => {
  const { deadlines } = await attempts(10_000, 4_000);
  expect(deadlines).toEqual([DEADLINE - 10_000 + ATTEMPT_MS_MAX, DEADLINE]);
});
