/** Mutations of the two limits, their response headers, and their data in Redis. */
import type { Mutation } from './mutations.ts';

const ADMIT = 'gateway/access/admit.lua';
const DAY_FITS = 'gateway/access/day-fits.lua';
const DAY_WINDOW = 'gateway/access/day-window.lua';
const DAY_RECORD = 'gateway/access/day-record.lua';
const MINUTE = 'gateway/access/minute-limit.ts';
const DAY = 'gateway/access/daily-cap.ts';
const AUTH = 'gateway/access/auth.ts';
const DAY_TEST = 'test/gateway/access/day-in-redis.test.ts';
const RETRY_TEST = 'test/gateway/access/retry-after.test.ts';
const KEYS_TEST = 'test/gateway/redis/redis-keys.test.ts';
const KEY_ACCOUNTS_TEST = 'test/gateway/access/key-accounts.test.ts';
const WINDOW_TEST = 'test/gateway/access/sliding-window.test.ts';

export const LIMIT_MUTATIONS: Mutation[] = [
  {
    name: 'one request more than the limit is admitted in a minute',
    breaks: ['I10'],
    file: ADMIT,
    edits: [['if admitted >= limit then', 'if admitted > limit then']],
    tests: ['test/gateway/access/minute-limit.test.ts'],
  },
  {
    name: 'without Redis there is no limit',
    breaks: ['I10'],
    file: MINUTE,
    edits: [['if (times.length < this.limit) return undefined;', 'return undefined;']],
    tests: ['test/gateway/redis/redis-away.slow.test.ts'],
  },
  {
    name: 'the window in Redis is a little shorter than a minute',
    breaks: ['I10'],
    file: MINUTE,
    edits: [['LIMITS.minuteWindowMs * 1000', 'LIMITS.minuteWindowMs * 990']],
    tests: [RETRY_TEST],
  },
  {
    name: 'the window in the memory of a gateway is half a minute',
    breaks: ['I10'],
    file: MINUTE,
    edits: [
      [
        'new SlidingWindows(LIMITS.requestsPerMinute, LIMITS.minuteWindowMs)',
        'new SlidingWindows(LIMITS.requestsPerMinute, LIMITS.minuteWindowMs / 2)',
      ],
    ],
    tests: [RETRY_TEST],
  },
  {
    name: 'a gateway removes all windows when it sweeps',
    breaks: ['I10'],
    file: MINUTE,
    edits: [['if (this.#timesOf(key, now).length === 0) this', 'this']],
    tests: [WINDOW_TEST],
  },
  {
    name: 'a request that a gateway rejects by itself is counted in Redis',
    breaks: [],
    file: MINUTE,
    edits: [['if (full) return', 'if (false) return']],
    tests: ['test/gateway/redis/redis-away.slow.test.ts'],
    only: 'are not recorded in Redis',
  },
  {
    name: 'a clock that is set back starts a new window',
    breaks: ['I10'],
    file: ADMIT,
    edits: [["string.format('%.0f', time - ahead)", "string.format('%.0f', now)"]],
    tests: ['test/gateway/access/minute-limit.test.ts'],
    only: 'leave the window one minute later by the new time',
  },
  {
    name: 'Retry-After is rounded down',
    breaks: [],
    file: 'gateway/api/rate-limit-headers.ts',
    edits: [['Math.ceil(ms / 1000)', 'Math.floor(ms / 1000)']],
    tests: [RETRY_TEST],
  },
  {
    name: 'Retry-After of a gateway without Redis is always a minute',
    breaks: [],
    file: MINUTE,
    edits: [['(times[0] as number) + this.windowMs - now', 'this.windowMs']],
    tests: [WINDOW_TEST],
  },
  {
    name: 'a check of the key from before the account was deleted hides that from a request that begins afterwards',
    breaks: ['I6'],
    file: AUTH,
    edits: [['await pendingChecks.get(key)?.catch(() => {});', '']],
    tests: ['test/gateway/access/shared-checks.test.ts'],
  },
  {
    name: 'a rejection waits for a frozen worker',
    breaks: ['I8'],
    file: AUTH,
    edits: [['const RECHECK_MS_MAX = 500', 'const RECHECK_MS_MAX = 60_000']],
    tests: ['test/gateway/ledger/no-response.test.ts'],
    only: 'a refusal does not wait',
  },
  {
    name: 'a write that fits the day by the time its body has arrived is refused',
    breaks: [],
    file: DAY,
    edits: [['if (!reply || entries <= reply[0]) return', 'if (!reply) return']],
    tests: [DAY_TEST],
  },
  {
    name: 'Redis dates a write at the time when it receives it',
    breaks: [],
    file: DAY_RECORD,
    edits: [['= now - age, now, 0', '= now, now, 0']],
    tests: [DAY_TEST],
  },
  {
    name: 'the age of a write is sent to Redis in another unit',
    breaks: [],
    file: DAY,
    edits: [['Math.ceil((ageMs + TO_REDIS_MS_MAX) * 1000)', 'Math.ceil(ageMs + TO_REDIS_MS_MAX)']],
    tests: [DAY_TEST],
  },
  {
    name: 'the time to reach Redis counts as zero',
    breaks: [],
    file: DAY,
    edits: [['const TO_REDIS_MS_MAX = 1_000;', 'const TO_REDIS_MS_MAX = 0;']],
    tests: [DAY_TEST],
  },
  {
    name: 'writes are in the daily window in the order of their arrival in Redis',
    breaks: [],
    file: DAY_RECORD,
    edits: [['earliest = math.max(earliest, newest.earliest)', '']],
    tests: [DAY_TEST],
  },
  {
    name: 'Retry-After by Redis is too early, when the database still rejects the request',
    breaks: [],
    file: DAY_FITS,
    edits: [['write_at(KEYS[1], low).latest + window', 'write_at(KEYS[1], low).earliest + window']],
    tests: [DAY_TEST],
  },
  {
    name: 'Retry-After by Redis is the time of the first write, even when more must expire',
    breaks: [],
    file: DAY_FITS,
    edits: [['write_at(KEYS[1], low).latest', 'write_at(KEYS[1], 1).latest']],
    tests: [DAY_TEST],
  },
  {
    name: 'Retry-After by Redis waits for one write too many',
    breaks: [],
    file: DAY_FITS,
    edits: [
      ['write_at(KEYS[1], middle).total + entries <= cap', 'write_at(KEYS[1], middle).total + entries < cap'],
    ],
    tests: [DAY_TEST],
  },
  {
    name: 'only one of the expired writes leaves the daily window in Redis',
    breaks: [],
    file: DAY_WINDOW,
    edits: [['    second = write_at(key, 1)\n  end', '    second = nil\n  end']],
    tests: [DAY_TEST],
  },
  {
    name: 'no write leaves the daily window in Redis',
    breaks: [],
    file: DAY_WINDOW,
    edits: [['while second and second.earliest <= now - window do', 'while false do']],
    tests: [DAY_TEST],
  },
  {
    name: 'Redis counts writes in the future of its clock',
    breaks: [],
    file: DAY_WINDOW,
    edits: [['if newest.earliest > now then return cap end', '']],
    tests: [DAY_TEST],
  },
  {
    name: 'a rate limit window in Redis never expires',
    breaks: [],
    file: ADMIT,
    edits: [["redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))\nreturn", 'return']],
    tests: [KEYS_TEST],
  },
  {
    name: 'a full rate limit window never expires after the clock was set back',
    breaks: [],
    file: ADMIT,
    edits: [["  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))\nend", 'end']],
    tests: [KEYS_TEST],
  },
  {
    name: 'a daily window in Redis never expires',
    breaks: [],
    file: DAY_RECORD,
    edits: [["redis.call('PEXPIRE', key, math.ceil(window / 1000))", '']],
    tests: [KEYS_TEST],
  },
  {
    name: 'a daily window in Redis expires after 90 s',
    breaks: [],
    file: DAY_RECORD,
    edits: [['math.ceil(window / 1000)', 'math.ceil(window / 1000000)']],
    tests: [KEYS_TEST],
  },
  {
    name: 'the account of a key is remembered for a day',
    breaks: [],
    file: AUTH,
    edits: [['5 * 60 * 1000', '24 * 60 * 60 * 1000']],
    tests: [KEY_ACCOUNTS_TEST],
  },
  {
    name: 'a rejected key stays remembered',
    breaks: [],
    file: AUTH,
    edits: [['      accounts.delete(nameOf(keyHash));\n', '']],
    tests: [KEY_ACCOUNTS_TEST],
  },
  {
    name: 'every request gets the account of its key from the worker',
    breaks: [],
    file: AUTH,
    edits: [['if (remembered !== undefined) return', 'if (false) return']],
    tests: [KEY_ACCOUNTS_TEST],
  },
  {
    name: 'every write reads its day a second time',
    breaks: [],
    file: DAY,
    edits: [['entriesLeft === undefined || entries <= entriesLeft', 'entriesLeft === undefined']],
    tests: ['test/gateway/redis/round-trips.test.ts'],
  },
  {
    name: 'of the writes that are recorded together only the first counts',
    breaks: [],
    file: DAY,
    edits: [['if (others) others.push(write);', 'if (others) others.length;']],
    tests: ['test/gateway/redis/round-trips.test.ts'],
  },
  {
    name: 'the response to a revoked key has rate limit headers',
    breaks: [],
    file: 'gateway/api/rate-limit-headers.ts',
    edits: [['if (status !== 401 && status !== 403) return', 'if (status !== 403) return']],
    tests: ['test/gateway/api/rate-limit-headers.test.ts'],
  },
  {
    name: 'the response to a key without API access has rate limit headers',
    breaks: [],
    file: 'gateway/api/rate-limit-headers.ts',
    edits: [['if (status !== 401 && status !== 403) return', 'if (status !== 401) return']],
    tests: ['test/gateway/api/rate-limit-headers.test.ts'],
  },
];
