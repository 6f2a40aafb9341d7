/** What the audit sees in requests: what they read, when they were refused, and when they failed. */
import { describe, expect, test } from 'bun:test';
import type { Page } from '../history.ts';
import { ForgedCase, first, SECOND_US, sound } from './forged-case.ts';

describe('reads:', () => {
  const cases: [string, (page: Page & Required<Pick<Page, 'answer'>>) => void][] = [
    ['an acknowledged entry is missing', ({ answer }) => void answer.transactions.pop()],
    ['an entry that is not in the books', ({ answer }) => void first(answer.transactions).amountPence++],
    ['out of order', ({ answer }) => void answer.transactions.reverse()],
    ['more than the limit', (page) => void Object.assign(page, { limit: 2 })],
    ['outside of the dates asked for', (page) => void Object.assign(page, { from: '2026-04-07' })],
    [
      'what was on the page before',
      (page) => void Object.assign(page, { after: { date: '2026-04-06', id: 'id of a/1' } }),
    ],
  ];
  test.each(cases)('%s', (_, spoil) => {
    const it = sound();
    spoil(it.page());
    expect(it.rules).toEqual(['stale read']);
  });

  test('what may follow on the next page is not missed, what should stand on this one is', () => {
    const it = sound();
    const { answer } = it.page();
    answer.transactions.splice(2);
    answer.nextCursor = 'next';
    expect(it.rules).toEqual([]);
    answer.transactions.splice(0, 1);
    expect(it.rules).toEqual(['stale read']);
  });

  test('a count below what was acknowledged, or above what there is', () => {
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
    it.me('key').answer = { accountId: 'another' };
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

  test('one entry too many within 24 h', () => {
    expect(full(day - 1).rules).toEqual(['over cap']);
    expect(full(day).rules).toEqual([]);
  });

  test('a refusal for the day while there was room', () => {
    const it = sound();
    const write = it.write(it.operation('refused', []));
    delete write.answer;
    Object.assign(write, { outcome: 429, code: 'daily_cap' });
    expect(it.rules).toEqual(['wrong answer']);
  });

  test('more than 120 of one key within a minute, as far as Redis was there', () => {
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

  test('a refusal for the minute without 120 before it, a few that were sent again unseen among them', () => {
    const it = new ForgedCase();
    for (let n = 0; n < 115; n++) it.me('fast');
    const refused = it.failing(429, 'rate_limited', 'fast');
    expect(it.rules).toEqual(['minute']);
    it.me('fast').begun = refused.begun;
    expect(it.rules).toEqual([]);
  });
});

describe('revocations:', () => {
  test('a success begun after one had returned', () => {
    const it = sound();
    it.me('lost');
    it.revoke('lost');
    it.failing(401, 'invalid_key', 'lost');
    expect(it.rules).toEqual([]);
    it.write(it.operation('late', [undefined]), 'lost');
    expect(it.rules).toEqual(['revoked key']);
  });

  test('a success begun before it had returned is sound', () => {
    const it = sound();
    it.revoke('lost');
    first(it.history.revocations).ended = Number.POSITIVE_INFINITY;
    it.me('lost');
    expect(it.rules).toEqual([]);
  });
});

describe('lost access:', () => {
  const CODES = { source: [404, 'source_not_found'], account: [401, 'invalid_key'] } as const;

  test.each(['source', 'account'] as const)('a success while the %s was lost', (what) => {
    const it = sound();
    const { regain } = it.lose(what);
    expect(it.rules).toEqual([]);
    it.write(it.operation('late', [undefined]));
    expect(it.rules).toEqual(['lost access']);
    regain();
    it.write(it.operation('later', [undefined]));
    expect(it.rules).toEqual(['lost access']);
    Object.assign(first(it.history.losses), { ended: Number.POSITIVE_INFINITY });
    expect(it.rules).toEqual([]);
  });

  test.each(['source', 'account'] as const)('a refusal once the %s was given back, or before', (what) => {
    const [outcome, code] = CODES[what];
    for (const when of ['before', 'while', 'after'] as const) {
      const it = new ForgedCase();
      const refuse = () => refused(it, outcome, code);
      if (when === 'before') refuse();
      const { regain } = it.lose(what);
      if (when === 'while') refuse();
      regain();
      if (when === 'after') refuse();
      expect([when, it.rules]).toEqual([when, when === 'while' ? [] : ['failed request']]);
    }
  });

  test('a source that was lost is no reason to refuse what is not about it', () => {
    const it = sound();
    it.lose('source');
    it.failing(404, 'source_not_found');
    it.me('key');
    expect(it.rules).toEqual(['failed request']);
  });
});

describe('refusals:', () => {
  test('a write that was refused, and is stored', () => {
    const it = new ForgedCase();
    it.lose('account');
    const write = refused(it, 401, 'invalid_key', 'stored');
    expect(it.rules).toEqual(['refused but stored']);
    // Sent again, it may have been stored by the request without an answer.
    it.history.requests.push({ ...structuredClone(write), outcome: 'abandoned' });
    expect(it.rules).toEqual([]);
  });

  test('whatever it was refused by', () => {
    for (const [outcome, code] of [
      [422, 'invalid_category'],
      [429, 'rate_limited'],
      [400, 'invalid_json'],
    ] as const) {
      const it = new ForgedCase();
      refused(it, outcome, code, 'stored');
      expect(it.rules).toContain('refused but stored');
    }
  });
});

/** A write that was refused, by itself or although it was stored. */
function refused(it: ForgedCase, outcome: number, code: string, stored?: 'stored') {
  const write = it.write(it.operation('refused', stored ? [undefined, undefined] : []));
  delete write.answer;
  return Object.assign(write, { outcome, code });
}

describe('outcomes:', () => {
  test('a failure needs an excuse: of its time, for its kind', () => {
    for (const outcome of [500, 503, 'broken', 'refused', 'hung', 'pending'] as const) {
      const it = sound();
      const { begun, ended } = it.failing(outcome);
      expect(it.rules).toEqual(['failed request']);
      it.excuses = [{ from: begun - 2, to: ended, outcomes: [outcome] }];
      expect(it.rules).toEqual([]);
      it.excuses = [{ from: ended, to: ended + 1, outcomes: [outcome] }];
      expect(it.rules).toEqual(['failed request']);
      it.excuses = [{ from: begun - 2, to: ended, outcomes: [] }];
      expect(it.rules).toEqual(['failed request']);
    }
  });

  test('a client that hangs up needs none', () => {
    const it = sound();
    it.failing('abandoned');
    expect(it.rules).toEqual([]);
  });

  test('a refusal needs a reason', () => {
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
