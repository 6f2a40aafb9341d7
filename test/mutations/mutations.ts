/** Ways to break the service, one rule each, and the tests that have to notice. */
import type { Change } from './mutate.ts';

/** What must hold, whatever happens. */
export const INVARIANTS = {
  I1: 'what was acknowledged is in the books, as it was sent',
  I2: 'an account has each reference once',
  I3: 'an account creates no more than its day holds',
  I4: 'a batch is there whole, or not at all',
  I5: 'splitting, repeating and racing requests changes nothing',
  I6: 'a revoked key does nothing more',
  I7: 'accounts know nothing of each other',
  I8: 'no input and no fault ends in a crash, a hang or a failure that could be avoided',
  I9: 'counters equal rows',
  I10: 'a key has its number of requests in a minute, and no more',
} as const;

export interface Mutation extends Change {
  name: string;
  /** Those that no longer hold. */
  breaks: (keyof typeof INVARIANTS)[];
  /** In other files, for what is held twice. */
  also?: Change[];
  /** Test files, from the root. */
  tests: string[];
  /** Of their tests only those whose names contain this. */
  only?: string;
}

const WRITE = 'ledger-worker/migrations/0003_idempotency_keys.sql';

export const MUTATIONS: Mutation[] = [
  {
    name: 'writes of an account are not serial',
    breaks: ['I2', 'I3', 'I9'],
    file: WRITE,
    edits: [['perform from ledger.account where account_id = p_account_id for no key update;', '']],
    tests: ['test/gateway/two-workers.test.ts'],
  },
  {
    name: 'a write goes by what was so before it waited for its lock',
    breaks: ['I6'],
    file: WRITE,
    edits: [
      ['perform from ledger.account where account_id = p_account_id for no key update;', ''],
      [
        '  if v_key_id is null then',
        '  perform from ledger.account where account_id = p_account_id for no key update;\n  if v_key_id is null then',
      ],
    ],
    tests: ['test/gateway/races.test.ts', 'test/ledger-worker/contract.test.ts'],
  },
  {
    name: 'the cap counts entries before they are deduplicated',
    breaks: ['I5'],
    file: WRITE,
    edits: [['if v_used + v_new > p_cap and v_new > 0 then', 'if true then']],
    tests: ['test/gateway/day.test.ts'],
  },
  {
    name: 'the cap is not held by the database',
    breaks: ['I3'],
    file: WRITE,
    edits: [['if v_used + cardinality(p_ids) > p_cap then', 'if false then']],
    tests: ['test/gateway/day.test.ts'],
  },
  {
    name: 'a write that leaves the window early makes room in the day',
    breaks: ['I3'],
    file: WRITE,
    edits: [
      [
        'where account_id = p_account_id and written_at <= v_now - p_window',
        "where account_id = p_account_id and written_at <= v_now - p_window + interval '1 minute'",
      ],
    ],
    tests: ['test/gateway/day.test.ts'],
  },
  {
    name: 'another attempt of a request comes with new ids',
    breaks: ['I1', 'I5'],
    file: 'gateway/ledger.ts',
    edits: [
      [
        '(options) => client.createEntries(request, options)',
        `((first) => (options: CallOptions) => {
          const again = entries.map((entry) => ({ ...entry, id: Bun.randomUUIDv7() }));
          const sent = first ? request : { ...request, entries: again };
          first = false;
          return client.createEntries(sent, options);
        })(true)`,
      ],
    ],
    tests: ['test/faults/faults.test.ts'],
    only: 'answer of a worker lost after a commit',
  },
  {
    name: 'a failed attempt is not repeated',
    breaks: ['I8'],
    file: 'gateway/ledger.ts',
    edits: [['if (!TRANSIENT.has(code)) throw error;', 'throw error;']],
    tests: ['test/gateway/out-of-service.test.ts'],
  },
  {
    name: 'a batch is created without its entries of a wrong category',
    breaks: ['I4'],
    file: WRITE,
    edits: [["    outcome := 'invalid_categories';\n    return;", '    null;']],
    tests: ['test/gateway/create.test.ts', 'test/gateway/validation.test.ts'],
  },
  {
    name: 'a revoked key goes on writing',
    breaks: ['I6'],
    file: WRITE,
    edits: [['k.key_hash = p_key_hash and k.revoked_at is null;', 'k.key_hash = p_key_hash;']],
    tests: ['test/gateway/auth.test.ts', 'test/ledger-worker/contract.test.ts'],
  },
  {
    name: 'a revoked key goes on reading: the cache is trusted',
    breaks: ['I6'],
    file: 'ledger-worker/ledger.ts',
    edits: [[' and revoked_at is null\n  )`;', '\n  )`;']],
    tests: ['test/gateway/auth.test.ts', 'test/ledger-worker/contract.test.ts'],
  },
  {
    name: 'a page of any source is shown to any account',
    breaks: ['I7'],
    file: 'ledger-worker/ledger.ts',
    edits: [
      [
        'from ledger.entry\n         where account_id',
        'from ledger.entry\n         where true or account_id',
      ],
    ],
    tests: ['test/gateway/auth-scope.test.ts', 'test/security/object-level.test.ts'],
  },
  {
    name: 'a key may name any account as its own',
    breaks: ['I7'],
    file: WRITE,
    edits: [
      ['where k.account_id = p_account_id and k.key_hash = p_key_hash', 'where k.key_hash = p_key_hash'],
    ],
    tests: ['test/security/object-level.test.ts', 'test/ledger-worker/contract.test.ts'],
  },
  {
    name: 'an answer of the database goes to whoever is next',
    breaks: ['I1', 'I7'],
    file: 'ledger-worker/database.ts',
    edits: [['max_pipeline: 0', 'max_pipeline: 100']],
    // Whoever waits is kept in a queue of ours, too: either alone is enough.
    also: [
      {
        file: 'ledger-worker/ask.ts',
        edits: [
          ['bulkhead(sql.options.max,', 'bulkhead(1_000,'],
          ['if (active) canceller', 'canceller'],
        ],
      },
    ],
    tests: ['test/ledger-worker/robustness.test.ts'],
  },
  {
    name: 'the count of a source grows by what was sent, not by what was created',
    breaks: ['I9'],
    file: WRITE,
    edits: [
      [
        'set transaction_count = transaction_count + v_added',
        'set transaction_count = transaction_count + cardinality(p_ids)',
      ],
    ],
    tests: ['test/gateway/create.test.ts'],
  },
  {
    name: 'a repeated Idempotency-Key is answered whatever is asked',
    breaks: ['I1'],
    file: WRITE,
    edits: [['if v_first.fingerprint <> p_fingerprint then', 'if false then']],
    tests: ['test/gateway/idempotency-key.test.ts'],
  },
  {
    name: 'an Idempotency-Key is forgotten',
    breaks: ['I5'],
    file: WRITE,
    edits: [
      [
        '  if p_idempotency_key is not null then\n    -- What is over',
        '  if false then\n    -- What is over',
      ],
    ],
    tests: ['test/gateway/idempotency-key.test.ts'],
  },
  {
    name: 'a write is stored after its client was told that it failed',
    breaks: ['I1'],
    file: WRITE,
    edits: [['if clock_timestamp() - statement_timestamp() > p_patience then', 'if false then']],
    tests: ['test/ledger-worker/robustness.test.ts'],
  },
  {
    name: 'one request more than the limit is admitted in a minute',
    breaks: ['I10'],
    file: 'gateway/admit.lua',
    edits: [['if admitted >= limit then', 'if admitted > limit then']],
    tests: ['test/gateway/minute-limit.test.ts'],
  },
  {
    name: 'without Redis nobody counts',
    breaks: ['I10'],
    file: 'gateway/sliding-window.ts',
    edits: [['if (ring.size < this.limit) return undefined;', 'return undefined;']],
    tests: ['test/gateway/redis-away.test.ts'],
  },
  {
    name: 'texts are stored in another spelling than they were sent',
    breaks: ['I1'],
    file: 'gateway/body.ts',
    edits: [
      [
        "return new TextDecoder('utf-8', { fatal: true }).decode(bytes);",
        "return new TextDecoder('utf-8', { fatal: true }).decode(bytes).normalize('NFC');",
      ],
    ],
    tests: ['test/gateway/properties.test.ts', 'test/hostile/hostile.test.ts'],
  },
  {
    name: 'bytes that are not UTF-8 are mended in silence',
    breaks: ['I1'],
    file: 'gateway/body.ts',
    edits: [["new TextDecoder('utf-8', { fatal: true })", "new TextDecoder('utf-8', { fatal: false })"]],
    tests: ['test/gateway/body.test.ts'],
  },
  {
    name: 'amounts written as floats are taken',
    breaks: ['I1'],
    file: 'gateway/body.ts',
    edits: [[' && floats.size === 0', '']],
    tests: ['test/gateway/validation.test.ts'],
  },
  {
    name: 'U+0000 reaches the database',
    breaks: ['I8'],
    file: 'gateway/schemas.ts',
    edits: [["pattern: '^[^\\\\u0000\\\\ud800-\\\\udfff]*$'", "pattern: '^[^\\\\ud800-\\\\udfff]*$'"]],
    tests: ['test/gateway/validation.test.ts', 'test/hostile/hostile.test.ts'],
  },
  {
    name: 'a cursor is taken for any list',
    breaks: ['I1'],
    file: 'gateway/cursor.ts',
    edits: [['if (!bytes.subarray(0, DIGEST_BYTES).equals(digest(scope, position))) return undefined;', '']],
    tests: ['test/gateway/pages.test.ts'],
  },
  {
    name: 'a gateway that is told to end refuses at once',
    breaks: ['I8'],
    file: 'gateway/main.ts',
    edits: [['  await Bun.sleep(config.SHUTDOWN_DELAY_MS);\n', '']],
    tests: ['test/gateway/drain.test.ts'],
  },
  {
    name: 'a lost connection ends the worker',
    breaks: ['I8'],
    file: 'ledger-worker/database.ts',
    edits: [['fetch_types: false,', 'fetch_types: true,']],
    tests: ['test/ledger-worker/lost-database.test.ts'],
  },
  {
    name: 'a statement that cannot be withdrawn ends the worker',
    breaks: ['I8'],
    file: 'ledger-worker/ask.ts',
    edits: [['canceller(query).catch(() => {});', 'canceller(query);']],
    tests: ['test/ledger-worker/robustness.test.ts'],
  },
  {
    name: 'a worker waits for a silent database as long as TCP does',
    breaks: ['I8'],
    file: 'ledger-worker/database.ts',
    edits: [['if (statementTimeoutMs > 0 && !ssl) endWhenSilent', 'if (false) endWhenSilent']],
    tests: ['test/ledger-worker/lost-database.test.ts'],
  },
];
