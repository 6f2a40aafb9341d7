/** Ways to break the two limits, what is told of them, and what Redis keeps for them. */
import type { Mutation } from './mutations.ts';

const ADMIT = 'gateway/access/admit.lua';
const DAY_FITS = 'gateway/access/day-fits.lua';
const DAY_RECORD = 'gateway/access/day-record.lua';
const LIMITS = 'gateway/access/limits.ts';
const WINDOW = 'gateway/access/sliding-window.ts';
const DAY_TEST = 'test/gateway/access/day-in-redis.test.ts';
const RETRY_TEST = 'test/gateway/access/retry-after.test.ts';
const KEYS_TEST = 'test/gateway/redis/redis-keys.test.ts';
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
    name: 'without Redis nobody counts',
    breaks: ['I10'],
    file: WINDOW,
    edits: [['if (ring.size < this.limit) return undefined;', 'return undefined;']],
    tests: ['test/gateway/redis/redis-away.slow.test.ts'],
  },
  {
    name: 'a minute in Redis is a little shorter than a minute',
    breaks: ['I10'],
    file: LIMITS,
    edits: [['LIMITS.minuteWindowMs * 1000', 'LIMITS.minuteWindowMs * 990']],
    tests: [RETRY_TEST],
  },
  {
    name: 'a minute in the memory of a gateway is half a minute',
    breaks: ['I10'],
    file: LIMITS,
    edits: [
      [
        'new SlidingWindows(LIMITS.requestsPerMinute, LIMITS.minuteWindowMs)',
        'new SlidingWindows(LIMITS.requestsPerMinute, LIMITS.minuteWindowMs / 2)',
      ],
    ],
    tests: [RETRY_TEST],
  },
  {
    name: 'a gateway forgets all minutes when it sweeps',
    breaks: ['I10'],
    file: WINDOW,
    edits: [['if (ring.size === 0) this', 'this']],
    tests: [WINDOW_TEST],
  },
  {
    name: 'a gateway that refuses by itself counts the request in Redis',
    breaks: [],
    file: LIMITS,
    edits: [['if (full) return', 'if (false) return']],
    tests: ['test/gateway/redis/redis-away.slow.test.ts'],
    only: 'are not recorded in Redis',
  },
  {
    name: 'a clock that was set back makes a minute begin anew',
    breaks: ['I10'],
    file: ADMIT,
    edits: [["string.format('%.0f', time - ahead)", "string.format('%.0f', now)"]],
    tests: ['test/gateway/access/minute-limit.test.ts'],
    only: 'leave the window one minute later by the new time',
  },
  {
    name: 'Retry-After of the minute is rounded down',
    breaks: [],
    file: 'gateway/access/auth.ts',
    edits: [['Math.ceil(retryAfterMs / 1000)', 'Math.floor(retryAfterMs / 1000)']],
    tests: [RETRY_TEST],
  },
  {
    name: 'Retry-After of the day is rounded down',
    breaks: [],
    file: 'gateway/ledger/errors.ts',
    edits: [['Math.ceil(retryAfterMs / 1000)', 'Math.floor(retryAfterMs / 1000)']],
    tests: [RETRY_TEST],
  },
  {
    name: 'Retry-After of a gateway without Redis is a whole minute',
    breaks: [],
    file: WINDOW,
    edits: [['ring.oldest + this.windowMs - now', 'this.windowMs']],
    tests: [WINDOW_TEST],
  },
  {
    name: 'a refusal waits for a worker that stands still',
    breaks: ['I8'],
    file: 'gateway/access/auth.ts',
    edits: [['const RECHECK_MS_MAX = 500', 'const RECHECK_MS_MAX = 60_000']],
    tests: ['test/gateway/ledger/no-response.test.ts'],
    only: 'a refusal does not wait',
  },
  {
    name: 'a write that fits the day is counted as shed',
    breaks: [],
    file: LIMITS,
    edits: [['if (entries > fitsNow) observer', 'observer']],
    tests: ['test/gateway/metrics.slow.test.ts'],
    only: 'cannot fit the day',
  },
  {
    name: 'Redis dates a write when it hears of it',
    breaks: [],
    file: DAY_RECORD,
    edits: [['= now - age, now, 0', '= now, now, 0']],
    tests: [DAY_TEST],
  },
  {
    name: 'the age of a write is told to Redis in another unit',
    breaks: [],
    file: LIMITS,
    edits: [['Math.ceil((ageMs + TO_REDIS_MS_MAX) * 1000)', 'Math.ceil(ageMs + TO_REDIS_MS_MAX)']],
    tests: [DAY_TEST],
  },
  {
    name: 'the way to Redis is taken for no time at all',
    breaks: [],
    file: LIMITS,
    edits: [['const TO_REDIS_MS_MAX = 1_000;', 'const TO_REDIS_MS_MAX = 0;']],
    tests: [DAY_TEST],
  },
  {
    name: 'writes stand in the day in the order in which Redis hears of them',
    breaks: [],
    file: DAY_RECORD,
    edits: [['earliest = math.max(earliest, tonumber(newest_earliest))', '']],
    tests: [DAY_TEST],
  },
  {
    name: 'a client of Redis is told to come back when the database may still refuse it',
    breaks: [],
    file: DAY_FITS,
    edits: [['write_at(low).latest + window', 'write_at(low).earliest + window']],
    tests: [DAY_TEST],
  },
  {
    name: 'Redis tells when the first write leaves, whichever has to',
    breaks: [],
    file: DAY_FITS,
    edits: [['write_at(low).latest', 'write_at(1).latest']],
    tests: [DAY_TEST],
  },
  {
    name: 'Redis has an entry wait for a write more than it needs',
    breaks: [],
    file: DAY_FITS,
    edits: [['write_at(middle).total + entries <= cap', 'write_at(middle).total + entries < cap']],
    tests: [DAY_TEST],
  },
  {
    name: 'of the writes that are a day old only one leaves the day in Redis',
    breaks: [],
    file: DAY_FITS,
    edits: [['  second = write_at(1)\nend', '  second = nil\nend']],
    tests: [DAY_TEST],
  },
  {
    name: 'no write leaves the day in Redis',
    breaks: [],
    file: DAY_FITS,
    edits: [['while second and second.earliest <= now - window do', 'while false do']],
    tests: [DAY_TEST],
  },
  {
    name: 'Redis decides by writes of which its clock knows nothing yet',
    breaks: [],
    file: DAY_FITS,
    edits: [['if newest.earliest > now then return { cap, 0 } end', '']],
    tests: [DAY_TEST],
  },
  {
    name: 'a minute stays in Redis for ever',
    breaks: [],
    file: ADMIT,
    edits: [["redis.call('PEXPIRE', KEYS[2], math.ceil(window / 1000))\nreturn", 'return']],
    tests: [KEYS_TEST],
  },
  {
    name: 'a minute that was full when the clock was set back stays in Redis for ever',
    breaks: [],
    file: ADMIT,
    edits: [["  redis.call('PEXPIRE', KEYS[2], math.ceil(window / 1000))\nend", 'end']],
    tests: [KEYS_TEST],
  },
  {
    name: 'a day stays in Redis for ever',
    breaks: [],
    file: DAY_RECORD,
    edits: [["redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))", '']],
    tests: [KEYS_TEST],
  },
  {
    name: 'a day is gone from Redis after a minute and a half',
    breaks: [],
    file: DAY_RECORD,
    edits: [['math.ceil(window / 1000)', 'math.ceil(window / 1000000)']],
    tests: [KEYS_TEST],
  },
  {
    name: 'an identity is cached for a day',
    breaks: [],
    file: LIMITS,
    edits: [['5 * 60 * 1000', '24 * 60 * 60 * 1000']],
    tests: [KEYS_TEST],
  },
  {
    name: 'an identity is cached for as long as it is used',
    breaks: [],
    file: ADMIT,
    edits: [["redis.call('GET', KEYS[1])", "redis.call('GETEX', KEYS[1], 'PX', ARGV[4])"]],
    tests: [KEYS_TEST],
  },
  {
    name: 'a revoked key is told of its limits',
    breaks: [],
    file: 'gateway/api/rate-limit-headers.ts',
    edits: [['if (status !== 401 && status !== 403) return', 'if (status !== 403) return']],
    tests: ['test/gateway/api/rate-limit-headers.test.ts'],
  },
  {
    name: 'a key of a plan without access is told of its limits',
    breaks: [],
    file: 'gateway/api/rate-limit-headers.ts',
    edits: [['if (status !== 401 && status !== 403) return', 'if (status !== 401) return']],
    tests: ['test/gateway/api/rate-limit-headers.test.ts'],
  },
];
