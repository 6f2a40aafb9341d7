/** Mutations of the calls between gateway and worker, of what both hold for requests, and of the worker's connections. */
import type { Mutation } from './mutations.ts';

const STREAMS_TEST = 'test/gateway/ledger/streams.test.ts';
const HOSTILE_PEER_TEST = 'test/ledger-worker/grpc/hostile-peer.test.ts';
const LOCKED_ACCOUNTS_TEST = 'test/ledger-worker/ledger/locked-accounts.test.ts';
const QUOTA = 'gateway/http/quota.ts';
const QUOTA_TEST = 'test/gateway/http/quota.test.ts';
const ERRORS = 'ledger-worker/database/errors.ts';
const ERRORS_TEST = 'test/ledger-worker/database/errors.test.ts';

export const TRANSPORT_MUTATIONS: Mutation[] = [
  {
    name: 'a call whose requests have all been cancelled never ends',
    breaks: ['I8'],
    file: 'gateway/ledger/multiplexer.ts',
    edits: [
      [
        'this.#call.write({ cancelled: [index] });\n    this.#endIfDone();',
        'this.#call.write({ cancelled: [index] });',
      ],
    ],
    tests: [STREAMS_TEST],
  },
  {
    name: 'a call to a worker that does not end its side never ends',
    breaks: ['I8'],
    file: 'gateway/ledger/multiplexer.ts',
    edits: [['execute({ deadline: Date.now() + STREAM_MS_MAX })', 'execute()']],
    tests: ['test/gateway/ledger/endless-call.slow.test.ts'],
  },
  {
    name: 'a request that was cancelled before it was sent is sent',
    breaks: [],
    file: 'gateway/ledger/multiplexer.ts',
    edits: [['this.#queue.filter(({ isSettled }) => !isSettled)', 'this.#queue']],
    tests: [STREAMS_TEST],
  },
  {
    name: 'a gateway sends any number of requests in a message',
    breaks: ['I8'],
    file: 'gateway/ledger/multiplexer.ts',
    edits: [['last.length < ELEMENTS_MAX && ', '']],
    tests: [STREAMS_TEST],
  },
  {
    name: 'a request that has failed stays among those that try again',
    breaks: ['I8'],
    file: 'gateway/ledger/retries.ts',
    edits: [['if (isRetrying) retrying--;', '']],
    tests: [STREAMS_TEST],
  },
  {
    name: 'a message with any number of requests is decoded',
    breaks: ['I8'],
    file: 'proto/contract.ts',
    edits: [['if (hasMoreThan(ELEMENTS_MAX, bytes))', 'if (false)']],
    tests: [HOSTILE_PEER_TEST],
    only: 'ends its call',
  },
  {
    name: 'packed cancellations count as one',
    breaks: ['I8'],
    file: 'proto/contract.ts',
    edits: [['tag >>> 3 === PACKED_FIELD', 'false']],
    tests: [HOSTILE_PEER_TEST],
    only: 'ends its call',
  },
  {
    name: 'a worker sends any number of responses in a message',
    breaks: ['I8'],
    file: 'ledger-worker/grpc/multiplexer.ts',
    edits: [['last.length < ELEMENTS_MAX && ', '']],
    tests: [HOSTILE_PEER_TEST],
    only: 'at most 64 responses',
  },
  {
    name: 'a gateway decodes any number of responses in a message',
    breaks: ['I8'],
    file: 'proto/contract.ts',
    edits: [
      [
        'responseDeserialize: ofFewElements(Execute.responseDeserialize)',
        'responseDeserialize: Execute.responseDeserialize',
      ],
    ],
    tests: ['test/security/untrusted-worker.test.ts'],
    only: 'more than 64 responses',
  },
  {
    name: 'a call that has ended still counts',
    breaks: [],
    file: 'ledger-worker/grpc/multiplexer.ts',
    edits: [['      calls--;\n', '']],
    tests: ['test/ledger-worker/grpc/multiplexer.test.ts'],
    only: 'a call without requests',
  },
  {
    name: 'writes of few accounts that wait for locks use up the calls of a worker',
    breaks: ['I8'],
    file: 'ledger-worker/ledger/concurrency-limit.ts',
    edits: [['if ((held.get(name) ?? 0) >= Math.ceil(max * part))', 'if (false)']],
    tests: [LOCKED_ACCOUNTS_TEST],
  },
  {
    name: 'a write that has ended still counts towards the limit of its account',
    breaks: ['I8'],
    file: 'ledger-worker/ledger/concurrency-limit.ts',
    edits: [['for (const share of shares) count(share, -1);', '']],
    tests: [LOCKED_ACCOUNTS_TEST],
  },
  {
    name: 'a closed reservation can be raised',
    breaks: ['I8'],
    file: QUOTA,
    edits: [['isClosed || ', '']],
    tests: [QUOTA_TEST],
  },
  {
    name: 'a closed reservation keeps its amount',
    breaks: ['I8'],
    file: QUOTA,
    edits: [['          add(-own);\n', '']],
    tests: [QUOTA_TEST, 'test/gateway/input/body.test.ts'],
  },
  {
    name: 'an account without reservations is remembered',
    breaks: ['I8'],
    file: QUOTA,
    edits: [['else byAccount.delete(accountId);', 'else byAccount.set(accountId, 0);']],
    tests: [QUOTA_TEST],
  },
  {
    name: 'a later write of an account overtakes one that does not fit into the group',
    breaks: ['I5'],
    file: 'ledger-worker/ledger/group-commit.ts',
    edits: [['if (account !== undefined) blockedAccounts.add(account);', '']],
    tests: ['test/ledger-worker/ledger/group-commit.test.ts'],
    only: 'order of their arrival, even',
  },
  {
    name: 'the lowest hash of a shard belongs to the shard before',
    breaks: ['I8'],
    file: 'ledger-worker/citus/shard-map.ts',
    edits: [['?? 0) <= hash)', '?? 0) < hash)']],
    tests: ['test/ledger-worker/citus/shard-map.test.ts'],
  },
  {
    name: 'a standby that does not write is a bug of the worker',
    breaks: ['I8'],
    file: ERRORS,
    edits: [['57P|25006', '57P']],
    tests: [ERRORS_TEST],
  },
  {
    name: 'a connection between servers of Citus that is lost is a bug of the worker',
    breaks: ['I8'],
    file: ERRORS,
    edits: [["if (error.routine === 'MarkRemoteTransactionFailed') return 'unavailable';", '']],
    tests: [ERRORS_TEST],
  },
  {
    name: 'a worker listens for other machines by default',
    breaks: ['I7'],
    file: 'ledger-worker/config.ts',
    edits: [
      [
        "LISTEN_ADDRESS: listenAddress({ default: '127.0.0.1:50051' })",
        "LISTEN_ADDRESS: listenAddress({ default: '0.0.0.0:50051' })",
      ],
    ],
    tests: ['test/security/listen-addresses.test.ts'],
    only: 'by default',
  },
  {
    name: 'a worker does not warn of an open address',
    breaks: [],
    file: 'ledger-worker/config.ts',
    edits: [['if (config.MTLS_CA_FILE) return [];', 'return [];']],
    tests: ['test/security/listen-addresses.test.ts'],
  },
  {
    name: 'over HTTPS some paths are not found',
    breaks: ['I8'],
    file: 'gateway/app.ts',
    edits: [['standardHostname: servesHttps', 'standardHostname: false']],
    tests: ['test/security/tls.slow.test.ts'],
    only: 'over HTTPS is that over HTTP',
  },
  {
    name: 'responses over HTTPS have no HSTS',
    breaks: [],
    file: 'gateway/app.ts',
    edits: [['if (servesHttps) set', 'if (false) set']],
    tests: ['test/security/tls.slow.test.ts'],
    only: 'over HTTPS is that over HTTP',
  },
  {
    name: 'the quick start shows the address of the example in the place of its own',
    breaks: [],
    file: 'gateway/routes/docs.ts',
    edits: [["'$1' + location.origin", "'$&'"]],
    tests: ['test/gateway/api/docs-page.slow.test.ts'],
    only: 'the quick start has',
  },
  {
    name: 'the home page is served with the web pages switched off',
    breaks: [],
    file: 'gateway/app.ts',
    edits: [
      [
        'if (pages !== false)\n    app.use(home(services.requestsInFlight)).use(',
        'app.use(home(services.requestsInFlight));\n  if (pages !== false) app.use(',
      ],
    ],
    tests: ['test/gateway/web-pages.test.ts'],
    only: 'switches the page off',
  },
  {
    name: 'the error of a service that cannot be reached does not name the address',
    breaks: [],
    file: 'clients/typescript/http.ts',
    edits: [['{baseUrl} cannot be reached', "{'The service'} cannot be reached"]],
    tests: ['test/clients/cli/errors.test.ts'],
  },
];
