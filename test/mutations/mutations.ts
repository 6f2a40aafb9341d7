/** Mutations of the service and of the clients, each of which breaks one rule, with the tests that must fail. */
import { BOOKS_MUTATIONS } from './books-mutations.ts';
import { BOUND_MUTATIONS } from './bound-mutations.ts';
import { CLIENT_MUTATIONS } from './client-mutations.ts';
import { COMMAND_MUTATIONS } from './command-mutations.ts';
import { CONTRACT_MUTATIONS } from './contract-mutations.ts';
import { GROUP_MUTATIONS } from './group-mutations.ts';
import { INPUT_MUTATIONS } from './input-mutations.ts';
import { LIMIT_MUTATIONS } from './limit-mutations.ts';
import type { Change } from './mutate.ts';
import { PAGE_MUTATIONS } from './page-mutations.ts';
import { PROMISE_MUTATIONS } from './promise-mutations.ts';
import { REPEAT_MUTATIONS } from './repeat-mutations.ts';
import { TRANSPORT_MUTATIONS } from './transport-mutations.ts';
import { WRITE_MUTATIONS } from './write-mutations.ts';

/** The number of a promise in docs/promises.md. */
export type PromiseId = `${'I' | 'S'}${number}`;

export interface Mutation extends Change {
  name: string;
  /** The broken promises; none when it breaks another rule, or only speed is lost. */
  breaks: PromiseId[];
  /** Changes in other files, for a rule that is enforced twice. */
  also?: Change[];
  /** Test files, relative to the root. */
  tests: string[];
  /** Only tests whose names contain this text. */
  only?: string;
}

export const MUTATIONS: Mutation[] = [
  ...PROMISE_MUTATIONS,
  ...WRITE_MUTATIONS,
  ...GROUP_MUTATIONS,
  ...BOUND_MUTATIONS,
  ...CONTRACT_MUTATIONS,
  ...REPEAT_MUTATIONS,
  ...INPUT_MUTATIONS,
  ...LIMIT_MUTATIONS,
  ...PAGE_MUTATIONS,
  ...TRANSPORT_MUTATIONS,
  ...COMMAND_MUTATIONS,
  ...BOOKS_MUTATIONS,
  ...CLIENT_MUTATIONS,
  {
    name: 'a retry of a request has new ids',
    breaks: ['I1', 'I5'],
    file: 'gateway/ledger/client.ts',
    edits: [
      [
        'return retries.run({ deadline, signal }, (options) => {',
        'let attempts = 0;\n    return retries.run({ deadline, signal }, (options) => {',
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
    only: 'response of a worker lost after a commit',
  },
  {
    name: 'a response waits for the other responses of its call',
    breaks: [],
    file: 'ledger-worker/grpc/multiplexer.ts',
    edits: [
      [
        'if (this.#ready.push(response) === 1)',
        'if (this.#ready.push(response) > 0 && this.#expectedCount === 0)',
      ],
    ],
    tests: ['test/ledger-worker/grpc/multiplexer.test.ts'],
  },
  {
    name: 'a response goes to the oldest pending request',
    breaks: ['I1', 'I7'],
    file: 'gateway/ledger/multiplexer.ts',
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
    name: 'a cancelled request ends the other requests of its call',
    breaks: [],
    file: 'gateway/ledger/multiplexer.ts',
    edits: [['this.#call.write({ cancelled: [index] });', 'this.#call.cancel();']],
    tests: ['test/gateway/http/bounds.test.ts'],
    only: 'disconnects',
  },
  {
    name: 'a worker that was frozen creates entries of a request that was cancelled before it was sent',
    breaks: ['I1'],
    file: 'gateway/ledger/multiplexer.ts',
    edits: [
      ['if (this.#hasResponded) {', 'if (true) {'],
      ['if (this.#hasCancelled) this.#call.cancel();', 'if (false) this.#call.cancel();'],
    ],
    tests: ['test/gateway/ledger/late-worker.slow.test.ts'],
  },
  {
    name: 'a failing worker gets the next request at once',
    breaks: [],
    file: 'gateway/ledger/multiplexer.ts',
    edits: [['if (response.failure) this.isOpen = false;', '']],
    tests: ['test/gateway/ledger/two-workers.slow.test.ts'],
    only: 'not called again',
  },
  {
    name: 'a failed attempt is not retried',
    breaks: ['I8'],
    file: 'gateway/ledger/retries.ts',
    edits: [
      [
        'throw error instanceof RpcError && TRANSIENT.has(error.code) ? failure(error) : error;',
        'throw error;',
      ],
    ],
    tests: ['test/gateway/ledger/out-of-service.test.ts'],
  },
  {
    name: 'an account can read pages of any source',
    breaks: ['I7'],
    file: 'ledger-worker/sql/functions/read/list_entries.sql',
    edits: [
      ['where s.account_id = v_query.account_id and s.source_id', 'where s.source_id'],
      ['where e.account_id = v_query.account_id and e.source_id', 'where e.source_id'],
    ],
    tests: ['test/security/object-level.test.ts'],
  },
  {
    name: 'a result of the database goes to another statement',
    breaks: ['I1', 'I7'],
    file: 'ledger-worker/database/connection.ts',
    edits: [['max_pipeline: 0', 'max_pipeline: 100']],
    // The worker has queues of its own, each of which prevents this.
    also: [
      {
        file: 'ledger-worker/database/pool.ts',
        edits: [
          ['bulkhead(this.size,', 'bulkhead(1_000,'],
          ['if (active) canceller', 'canceller'],
        ],
      },
      {
        file: 'ledger-worker/ledger/service.ts',
        edits: [
          [
            'const WRITES = { groupsMax: 2, membersMax: 64',
            'const WRITES = { groupsMax: 1_000, membersMax: 1',
          ],
          [
            'const PAGES = { groupsMax: 2, lockWaitersMax: 0, membersMax: 64',
            'const PAGES = { groupsMax: 1_000, lockWaitersMax: 0, membersMax: 1',
          ],
        ],
      },
    ],
    tests: ['test/ledger-worker/database/robustness.slow.test.ts'],
  },
  {
    name: 'a gateway rejects requests immediately after SIGTERM',
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
    name: 'a statement that cannot be cancelled ends the worker',
    breaks: ['I8'],
    file: 'ledger-worker/database/pool.ts',
    edits: [['canceller(query).catch(() => {});', 'canceller(query);']],
    tests: ['test/ledger-worker/database/robustness.slow.test.ts'],
  },
  {
    name: 'a worker waits for a silent database as long as TCP does',
    breaks: ['I8'],
    file: 'ledger-worker/database/connection.ts',
    edits: [['if (statementTimeoutMs > 0) failWithoutResponse', 'if (false) failWithoutResponse']],
    tests: ['test/ledger-worker/database/lost-database.slow.test.ts'],
  },
  {
    name: 'connections without statements are closed',
    breaks: [],
    file: 'ledger-worker/database/connection.ts',
    edits: [['isIdle() ? start()', 'false ? start()']],
    tests: ['test/ledger-worker/database/lost-database.slow.test.ts'],
  },
  {
    name: 'bytes are encoded again when a statement is prepared again',
    breaks: ['I8'],
    file: 'ledger-worker/database/connection.ts',
    edits: [["typeof value === 'string' ? value", 'false ? value']],
    tests: ['test/ledger-worker/database/lost-database.slow.test.ts'],
  },
  {
    name: 'a worker accepts clients without a certificate',
    breaks: ['I7'],
    file: 'platform/mutual-tls.ts',
    edits: [['(provider, provider, true)', '(provider, provider, false)']],
    tests: ['test/security/mutual-tls.slow.test.ts'],
  },
  {
    name: 'any certificate of a trusted CA is accepted for the database',
    breaks: ['I7'],
    file: 'ledger-worker/database/address.ts',
    edits: [["verified === 'name' ?", 'false ?']],
    tests: ['test/security/database-tls.slow.test.ts'],
  },
  {
    name: 'removing a removed source changes its time of removal',
    breaks: [],
    file: 'ledger-worker/sql/functions/admin/remove_source.sql',
    edits: [['removed_at = coalesce(removed_at, v_now)', 'removed_at = v_now']],
    tests: ['test/admin/admin.test.ts'],
  },
];
