/** The audit of requests: reads, limits, rejections and failures. */
import { describe, expect, test } from 'bun:test';
import type { Page } from '../history.ts';
import { ForgedCase, first, SECOND_US, sound } from './forged-case.ts';

describe('reads:', () => {
  const cases: [string, (page: Page & Required<Pick<Page, 'response'>>) => void][] = [
    ['an acknowledged entry is missing', ({ response }) => void response.transactions.pop()],
    ['an entry that is not in the books', ({ response }) => void first(response.transactions).amountPence++],
    ['out of order', ({ response }) => void response.transactions.reverse()],
    ['more than the limit', (page) => void Object.assign(page, { limit: 2 })],
    ['outside of the requested dates', (page) => void Object.assign(page, { from: '2026-04-07' })],
    [
      'an entry of the previous page',
      (page) => void Object.assign(page, { after: { date: '2026-04-06', id: 'id of a/1' } }),
    ],
  ];
  test.each(cases)('%s', (_, forge) => {
    const it = sound();
    forge(it.page());
    expect(it.rules).toEqual(['stale read']);
  });

  test('an entry may be on the next page only if it comes after the last of this one', () => {
    const it = sound();
    const { response } = it.page();
    response.transactions.splice(2);
    response.nextCursor = 'next';
    expect(it.rules).toEqual([]);
    response.transactions.splice(0, 1);
    expect(it.rules).toEqual(['stale read']);
  });

  test('a count below the acknowledged or above the stored entries', () => {
    const rules = (count: number) => {
      const it = sound();
      it.sources(count);
      it.write(it.operation('late', [undefined]));
      return it.rules;
    };
    expect([3, 4, 5, 6].map(rules)).toEqual([['stale read'], [], [], ['stale read']]);
  });

  test('another account', () => {
    const it = sound();
    it.me('key').response = { accountId: 'another' };
    expect(it.rules).toEqual(['stale read']);
  });
});

describe('limits:', () => {
  const day = 24 * 60 * 60 * SECOND_US;

  function full(lastAfterUs: number): ForgedCase {
    const it = new ForgedCase();
    for (let n = 0; n < 11; n++)
      it.write(it.operation(`full ${n}`, Array(n === 10 ? 1 : 500).fill(undefined)));
    const at = lastAfterUs;
    Object.assign(it.books.writes.at(-1) ?? {}, { writtenAt: at, committed: at });
    Object.assign(it.books.rows.at(-1) ?? {}, { committed: at });
    return it;
  }

  test('one entry over the cap within 24 h', () => {
    expect(full(day - 1).rules).toEqual(['over cap']);
    expect(full(day).rules).toEqual([]);
  });

  test('daily_cap below the cap', () => {
    const it = sound();
    const write = it.write(it.operation('refused', []));
    delete write.response;
    Object.assign(write, { outcome: 429, code: 'daily_cap' });
    expect(it.rules).toEqual(['wrong response']);
  });

  test('more than 120 requests of one key within a minute, only while Redis was undisturbed', () => {
    const it = new ForgedCase();
    for (let n = 0; n < 120; n++) it.me('fast');
    expect(it.rules).toEqual([]);
    it.me('fast');
    expect(it.rules).toEqual(['minute']);
    it.redisUndisturbed = false;
    expect(it.rules).toEqual([]);
    it.redisUndisturbed = true;
    Object.assign(it.history.requests.at(-1) ?? {}, { begun: 60_000, ended: 60_001 });
    expect(it.rules).toEqual([]);
  });

  test('rate_limited with fewer than 120 requests before it, allowing for a few that fetch has resent', () => {
    const it = new ForgedCase();
    for (let n = 0; n < 115; n++) it.me('fast');
    const limited = it.failing(429, 'rate_limited', 'fast');
    expect(it.rules).toEqual(['minute']);
    it.me('fast').begun = limited.begun;
    expect(it.rules).toEqual([]);
  });
});

describe('revocations:', () => {
  test('a success that began after a revocation had returned', () => {
    const it = sound();
    it.me('lost');
    it.revoke('lost');
    it.failing(401, 'invalid_key', 'lost');
    expect(it.rules).toEqual([]);
    it.write(it.operation('late', [undefined]), 'lost');
    expect(it.rules).toEqual(['revoked key']);
  });

  test('a success that began before the revocation returned is sound', () => {
    const it = sound();
    it.revoke('lost');
    first(it.history.revocations).ended = Number.POSITIVE_INFINITY;
    it.me('lost');
    expect(it.rules).toEqual([]);
  });
});

describe('lost access:', () => {
  const CODES = { source: [404, 'source_not_found'], account: [401, 'invalid_key'] } as const;

  test.each(['source', 'account'] as const)('a success while the %s was removed', (what) => {
    const it = sound();
    const { restore } = it.lose(what);
    expect(it.rules).toEqual([]);
    it.write(it.operation('late', [undefined]));
    expect(it.rules).toEqual(['lost access']);
    restore();
    it.write(it.operation('later', [undefined]));
    expect(it.rules).toEqual(['lost access']);
    Object.assign(first(it.history.accessLosses), { ended: Number.POSITIVE_INFINITY });
    expect(it.rules).toEqual([]);
  });

  test.each(['source', 'account'] as const)(
    'a rejection before the %s was removed, or after it was restored',
    (what) => {
      const [outcome, code] = CODES[what];
      for (const when of ['before', 'while', 'after'] as const) {
        const it = new ForgedCase();
        const reject = () => rejected(it, outcome, code);
        if (when === 'before') reject();
        const { restore } = it.lose(what);
        if (when === 'while') reject();
        restore();
        if (when === 'after') reject();
        expect([when, it.rules]).toEqual([when, when === 'while' ? [] : ['failed request']]);
      }
    },
  );

  test('a removed source is no reason to reject a request about another one', () => {
    const it = sound();
    it.lose('source');
    it.failing(404, 'source_not_found');
    it.me('key');
    expect(it.rules).toEqual(['failed request']);
  });
});

describe('rejections:', () => {
  test('a rejected write that is stored', () => {
    const it = new ForgedCase();
    it.lose('account');
    const write = rejected(it, 401, 'invalid_key', 'stored');
    expect(it.rules).toEqual(['rejected but stored']);
    // A second request without a response may have stored it.
    it.history.requests.push({ ...structuredClone(write), outcome: 'abandoned' });
    expect(it.rules).toEqual([]);
  });

  test('a rejected write that is stored, for other codes', () => {
    for (const [outcome, code] of [
      [422, 'invalid_category'],
      [429, 'rate_limited'],
      [400, 'invalid_json'],
    ] as const) {
      const it = new ForgedCase();
      rejected(it, outcome, code, 'stored');
      expect(it.rules).toContain('rejected but stored');
    }
  });
});

/** A write that was rejected, and is stored if `stored` is given. */
function rejected(it: ForgedCase, outcome: number, code: string, stored?: 'stored') {
  const write = it.write(it.operation('refused', stored ? [undefined, undefined] : []));
  delete write.response;
  return Object.assign(write, { outcome, code });
}

describe('outcomes:', () => {
  test('a failure must be allowed, for its time and its outcome', () => {
    for (const outcome of [500, 503, 'broken', 'refused', 'hung', 'pending'] as const) {
      const it = sound();
      const { begun, ended } = it.failing(outcome);
      expect(it.rules).toEqual(['failed request']);
      it.allowedFailures = [{ from: begun - 2, to: ended, outcomes: [outcome] }];
      expect(it.rules).toEqual([]);
      it.allowedFailures = [{ from: ended, to: ended + 1, outcomes: [outcome] }];
      expect(it.rules).toEqual(['failed request']);
      it.allowedFailures = [{ from: begun - 2, to: ended, outcomes: [] }];
      expect(it.rules).toEqual(['failed request']);
    }
  });

  test('an abandoned request is always allowed', () => {
    const it = sound();
    it.failing('abandoned');
    expect(it.rules).toEqual([]);
  });

  test('a rejection needs a reason', () => {
    for (const [outcome, code] of [
      [401, 'invalid_key'],
      [403, 'upgrade_required'],
      [404, 'source_not_found'],
      [422, 'invalid_category'],
    ] as const) {
      const it = sound();
      it.failing(outcome, code);
      expect(it.rules).toEqual(['failed request']);
    }
  });
});
