/**
 * One table of rules for the library, under Bun and Node, and the Python package: all send the same requests and report the same. They wait
 * for pauses most of their time, and so run at once.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { atOnce } from '../../fixtures/at-once.ts';
import type { SeenRequest } from '../proxy.ts';
import { CLIENTS, type Run, run } from './clients.ts';
import { PUSH_RULES } from './push-rules.ts';
import { READ_RULES } from './read-rules.ts';
import { RETRY_RULES } from './retry-rules.ts';
import { all, created, numbered, push, type Rule } from './rules.ts';

setDefaultTimeout(60_000);

/** The ordinal of each request's key among those of the call. */
function keysOf(requests: SeenRequest[]): number[] {
  const keys = [...new Set(requests.flatMap(({ idempotencyKey }) => idempotencyKey ?? []))];
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  return requests.map(({ idempotencyKey = '' }) => keys.indexOf(idempotencyKey) + 1);
}

function expectRule({ requests, report, ms }: Run, rule: Rule & Pick<Required<Rule>, 'report'>): void {
  const shown = requests.map(({ method, path, body }, n) =>
    typeof rule.requests[n] === 'number' ? JSON.parse(body).length : `${method} ${path}`,
  );
  expect(shown).toEqual(rule.requests);
  if (rule.keys) expect(keysOf(requests)).toEqual(rule.keys);
  const { pauses, ...rest } = report;
  expect(rest).toMatchObject(rule.report);
  expect('error' in rest).toBe('error' in rule.report);
  expect(pauses.map(([reason]) => reason)).toEqual((rule.pauses ?? []).map(([reason]) => reason));
  for (const [n, [, atLeast, atMost]] of (rule.pauses ?? []).entries()) {
    // The library reports a moment, and some time has passed before the test reads it.
    expect(pauses[n]?.[1]).toBeWithin(atLeast / 2, atMost + 0.05);
  }
  const waited = (rule.pauses ?? []).reduce((sum, [, atLeast]) => sum + atLeast, 0);
  expect(ms).toBeGreaterThan(waited * 1_000 - 50);
}

/** What both clients have in common: not the random keys and pauses, nor the reason of a broken connection. */
function comparable({ requests, report: { pauses, error, ...report } }: Run) {
  const keys = keysOf(requests);
  return {
    requests: requests.map((request, n) => ({
      ...request,
      ...{ userAgent: '', acceptEncoding: '' },
      idempotencyKey: keys[n],
    })),
    report: {
      ...report,
      error: error && {
        ...error,
        idempotencyKey: requests.findIndex((request) => request.idempotencyKey === error.idempotencyKey),
        ...(error.code === 'unreachable' && { message: '' }),
        ...(error.code === 'daily_cap' && { status: 429, message: '' }),
        // Of a date, it depends on the moment.
        retryAfterMinutes: Math.round(Number(error.retryAfterSeconds ?? 0) / 60),
        retryAfterSeconds: undefined,
      },
    },
  };
}

test('each client says who it is, and that it reads gzip', async () => {
  const runs = await Promise.all(
    Object.keys(CLIENTS).map((client) => run(client, push(numbered(1)), created)),
  );
  const [typescript, python] = ['bookkeeping-ledger', 'bookkeeping-ledger-python'].map(
    (name) => `${name}/1.0.0`,
  );
  expect(runs.map(({ requests }) => requests[0]?.userAgent)).toEqual([typescript, typescript, python]);
  for (const { requests } of runs) expect(requests[0]?.acceptEncoding).toMatch(/(^|, )gzip(,|$)/);
});

describe.each([
  ['a push', PUSH_RULES],
  ['a push that fails', RETRY_RULES],
  ['a read', READ_RULES],
] as const)('%s:', (_, rules) => {
  test.concurrent.each(rules.map((rule) => [rule.name, rule] as const))(
    '%s',
    atOnce(async (_name, rule) => {
      const { call = push(numbered(1)), service = created } = rule;
      const { report = 'entries' in call ? all(call.entries.length) : {} } = rule;
      const runs = await Promise.all(Object.keys(CLIENTS).map((client) => run(client, call, service, rule)));
      for (const each of runs) expectRule(each, { ...rule, report });
      const [first, ...others] = runs.map(comparable);
      for (const other of others) expect(other).toEqual(first as NonNullable<typeof first>);
      expect(JSON.stringify(runs.map(({ report }) => report))).not.toContain('SECRET');
    }),
  );
});
