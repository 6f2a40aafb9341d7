/** Ways to break the service, one rule each, and the tests that have to notice. */
import { CONTRACT_MUTATIONS } from './contract-mutations.ts';
import { INPUT_MUTATIONS } from './input-mutations.ts';
import { LIMIT_MUTATIONS } from './limit-mutations.ts';
import type { Change } from './mutate.ts';
import { PAGE_MUTATIONS } from './page-mutations.ts';
import { REPEAT_MUTATIONS } from './repeat-mutations.ts';
import { WRITE_MUTATIONS } from './write-mutations.ts';

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
  /** Those that no longer hold; none where only speed is lost. */
  breaks: (keyof typeof INVARIANTS)[];
  /** In other files, for what is held twice. */
  also?: Change[];
  /** Test files, from the root. */
  tests: string[];
  /** Of their tests only those whose names contain this. */
  only?: string;
}

export const MUTATIONS: Mutation[] = [
  ...WRITE_MUTATIONS,
  ...CONTRACT_MUTATIONS,
  ...REPEAT_MUTATIONS,
  ...INPUT_MUTATIONS,
  ...LIMIT_MUTATIONS,
  ...PAGE_MUTATIONS,
  {
    name: 'another attempt of a request comes with new ids',
    breaks: ['I1', 'I5'],
    file: 'gateway/ledger/client.ts',
    edits: [
      [
        'return withRetries({ deadline, signal }, (options) => {',
        'let attempts = 0;\n    return withRetries({ deadline, signal }, (options) => {',
      ],
      [
        'multiplexer.execute(name, request, options, attemptSpan)',
        `multiplexer.execute(name, name !== 'createEntries' || attempts++ === 0 ? request : {
        ...request,
        entriesJson: Buffer.from(
          JSON.stringify(
            JSON.parse(request.entriesJson).map((entry) => ({ ...entry, id: Bun.randomUUIDv7() })),
          ),
        ),
      }, options, attemptSpan)`,
      ],
    ],
    tests: ['test/faults/faults.test.ts'],
    only: 'answer of a worker lost after a commit',
  },
  {
    name: 'an answer waits for those to the other questions of its call',
    breaks: [],
    file: 'ledger-worker/grpc/response-writer.ts',
    edits: [
      [
        'if (this.#ready.push(response) === 1)',
        'if (this.#ready.push(response) > 0 && this.#expectedCount === 0)',
      ],
    ],
    tests: ['test/ledger-worker/grpc/multiplexer.test.ts'],
  },
  {
    name: 'an answer goes to whoever has waited longest',
    breaks: ['I1', 'I7'],
    file: 'gateway/ledger/execute-stream.ts',
    edits: [
      [
        'const request = this.#pending.get(response.index);',
        'const request = this.#pending.values().next().value;',
      ],
      ['this.#pending.delete(response.index);', 'this.#pending.delete(request.index);'],
    ],
    tests: ['test/gateway/races.test.ts'],
    only: 'get their own responses',
  },
  {
    name: 'who gives up ends what was asked together with it',
    breaks: [],
    file: 'gateway/ledger/execute-stream.ts',
    edits: [['this.#call.write({ cancelled: [index] });', 'this.#call.cancel();']],
    tests: ['test/gateway/http/bounds.test.ts'],
    only: 'goes away',
  },
  {
    name: 'a worker that wakes up creates what was given up before it was sent',
    breaks: ['I1'],
    file: 'gateway/ledger/execute-stream.ts',
    edits: [
      ['if (this.#hasResponded) {', 'if (true) {'],
      ['if (this.#hasCancelled) this.#call.cancel();', 'if (false) this.#call.cancel();'],
    ],
    tests: ['test/gateway/ledger/late-worker.slow.test.ts'],
  },
  {
    name: 'a worker that cannot answer is asked again at once',
    breaks: [],
    file: 'gateway/ledger/execute-stream.ts',
    edits: [['if (response.failure) this.isOpen = false;', '']],
    tests: ['test/gateway/ledger/two-workers.slow.test.ts'],
    only: 'not called again',
  },
  {
    name: 'a failed attempt is not repeated',
    breaks: ['I8'],
    file: 'gateway/ledger/client.ts',
    edits: [['if (!(error instanceof RpcError) || !TRANSIENT.has(error.code)) throw error;', 'throw error;']],
    tests: ['test/gateway/ledger/out-of-service.test.ts'],
  },
  {
    name: 'a revoked key goes on reading: the cache is trusted',
    breaks: ['I6'],
    file: 'ledger-worker/ledger/caller.ts',
    edits: [[' and revoked_at is null\n  )`;', '\n  )`;']],
    tests: ['test/gateway/access/auth.test.ts', 'test/ledger-worker/ledger/contract.test.ts'],
  },
  {
    name: 'a page of any source is shown to any account',
    breaks: ['I7'],
    file: 'ledger-worker/ledger/reads.ts',
    edits: [['where e.account_id = request.account_id', 'where true or e.account_id = request.account_id']],
    tests: ['test/gateway/access/auth-scope.test.ts', 'test/security/object-level.test.ts'],
  },
  {
    name: 'an answer of the database goes to whoever is next',
    breaks: ['I1', 'I7'],
    file: 'ledger-worker/database/connection.ts',
    edits: [['max_pipeline: 0', 'max_pipeline: 100']],
    // Whoever waits is kept in queues of ours, too: any of them alone is enough.
    also: [
      {
        file: 'ledger-worker/database/pool.ts',
        edits: [
          ['bulkhead(sql.options.max,', 'bulkhead(1_000,'],
          ['if (active) canceller', 'canceller'],
        ],
      },
      {
        file: 'ledger-worker/ledger/service.ts',
        edits: [
          ['const WRITES = { batchesMax: 2, itemsMax: 64', 'const WRITES = { batchesMax: 1_000, itemsMax: 1'],
          [
            'const READS = { batchesMax: 2, lockWaitersMax: 0, itemsMax: 64',
            'const READS = { batchesMax: 1_000, lockWaitersMax: 0, itemsMax: 1',
          ],
        ],
      },
    ],
    tests: ['test/ledger-worker/database/robustness.slow.test.ts'],
  },
  {
    name: 'an identity in Redis is taken for one whatever stands behind it',
    breaks: ['I8'],
    file: 'gateway/access/admit.lua',
    edits: [["four .. four .. four .. '$'", 'four .. four .. four']],
    tests: ['test/security/untrusted-redis.test.ts'],
    only: 'with more behind it',
  },
  {
    name: 'a gateway that is told to end refuses at once',
    breaks: ['I8'],
    file: 'gateway/main.ts',
    edits: [['  await Bun.sleep(config.SHUTDOWN_DELAY_MS);\n', '']],
    tests: ['test/gateway/http/drain.slow.test.ts'],
  },
  {
    name: 'a lost connection ends the worker',
    breaks: ['I8'],
    file: 'ledger-worker/database/connection.ts',
    edits: [['fetch_types: false,', 'fetch_types: true,']],
    tests: ['test/ledger-worker/database/lost-database.slow.test.ts'],
  },
  {
    name: 'a statement that cannot be withdrawn ends the worker',
    breaks: ['I8'],
    file: 'ledger-worker/database/pool.ts',
    edits: [['canceller(query).catch(() => {});', 'canceller(query);']],
    tests: ['test/ledger-worker/database/robustness.slow.test.ts'],
  },
  {
    name: 'a worker waits for a silent database as long as TCP does',
    breaks: ['I8'],
    file: 'ledger-worker/database/connection.ts',
    edits: [['if (statementTimeoutMs > 0) endWhenSilent', 'if (false) endWhenSilent']],
    tests: ['test/ledger-worker/database/lost-database.slow.test.ts'],
  },
  {
    name: 'a worker talks with who shows no certificate',
    breaks: ['I7'],
    file: 'platform/mutual-tls.ts',
    edits: [['(provider, provider, true)', '(provider, provider, false)']],
    tests: ['test/security/mutual-tls.slow.test.ts'],
  },
  {
    name: 'whatever certificate of an authority is taken for that of the database',
    breaks: ['I7'],
    file: 'ledger-worker/database/tls.ts',
    edits: [["verified === 'name' ?", 'false ?']],
    tests: ['test/security/database-tls.slow.test.ts'],
  },
  {
    name: 'a source that is removed again was removed later',
    breaks: [],
    file: 'ledger-worker/admin/accounts.ts',
    edits: [['removed_at = coalesce(removed_at, clock_timestamp())', 'removed_at = clock_timestamp()']],
    tests: ['test/admin/admin.test.ts'],
  },
];
