/** Attempts at a request of the worker, by a clock of the test's own. */
import { afterEach, expect, mock, spyOn, test } from 'bun:test';
import { status } from '@grpc/grpc-js';
import { Unavailable } from '../../../gateway/api/errors.ts';
import { ClientDisconnected } from '../../../gateway/http/request-context.ts';
import { RpcError } from '../../../gateway/ledger/multiplexer.ts';
import { withRetries } from '../../../gateway/ledger/retries.ts';
import { createQuota } from '../../../platform/quota.ts';

const DEADLINE = 1_000_000;
const FIRST_PAUSE_MS_MAX = 40;
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
  const clock = spyOn(performance, 'now');
  clock.mockReturnValue(DEADLINE - beginMs);
  const options = { deadline: DEADLINE, signal: undefined, retryQuota: createQuota(1) };
  const outcome = await withRetries(options, async ({ deadline }) => {
    deadlines.push(deadline);
    if (deadlines.length > 1) return 'a response';
    clock.mockReturnValue(DEADLINE - failMs);
    throw new RpcError(status.UNAVAILABLE, 'no worker');
  }).catch((error) => error);
  return { deadlines, outcome };
}

test('no attempt begins at the deadline or after it, however long the pause is; a request with half a second has another one', async () => {
  const late = await attempts(500, FIRST_PAUSE_MS_MAX);
  expect(late.deadlines).toHaveLength(1);
  expect(late.outcome).toBeInstanceOf(Unavailable);
  expect(late.outcome.message).toBe('no worker responded in time');
  const inTime = await attempts(500, FIRST_PAUSE_MS_MAX + 1);
  expect([inTime.deadlines.length, inTime.outcome]).toEqual([2, 'a response']);
});

test('an attempt has 5 s at most, so that another worker gets the next one, and no longer than the request', async () => {
  const { deadlines } = await attempts(10_000, 4_000);
  expect(deadlines).toEqual([DEADLINE - 10_000 + ATTEMPT_MS_MAX, DEADLINE]);
});

/** Attempts that all fail with `code`, until the deadline or for good. @returns their number, and the error of the request */
async function failures(code: status) {
  let count = 0;
  const options = { deadline: performance.now() + 30_000, signal: undefined, retryQuota: createQuota(1) };
  const error = await withRetries(options, async () => {
    // Long before the deadline, the test needs no more.
    if (++count > 4) throw new RpcError(status.INTERNAL, 'enough');
    throw new RpcError(code, 'a failure');
  }).catch((error) => error);
  return { count, error };
}

test.each([
  [true, ['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'ABORTED', 'CANCELLED']],
  [false, ['INTERNAL', 'INVALID_ARGUMENT', 'UNIMPLEMENTED', 'UNAUTHENTICATED', 'UNKNOWN']],
] as const)('it is %p that there is another attempt after %j', async (isRepeated, codes) => {
  for (const code of codes) {
    const { count, error } = await failures(status[code]);
    expect([code, count]).toEqual([code, isRepeated ? 5 : 1]);
    if (!isRepeated) expect(error.code).toBe(status[code]);
  }
});

test('three refusals by overloaded workers end a request at once: more attempts would make it worse', async () => {
  const { count, error } = await failures(status.RESOURCE_EXHAUSTED);
  expect([count, error.message]).toEqual([3, 'the workers are overloaded']);
  expect(error).toBeInstanceOf(Unavailable);
});

test('no attempt begins after the client has left', async () => {
  let count = 0;
  const client = new AbortController();
  const options = { deadline: performance.now() + 30_000, signal: client.signal, retryQuota: createQuota(1) };
  const request = withRetries(options, async () => {
    count++;
    // In the backoff.
    setImmediate(() => client.abort());
    throw new RpcError(status.UNAVAILABLE, 'no worker');
  });
  expect(await request.catch((error) => error)).toBeInstanceOf(ClientDisconnected);
  expect(count).toBe(1);
});
