/**
 * Schedules of requests on their whole way: the gateway's admission, retries and multiplexer, and the worker's multiplexer, slots, repeated
 * statements and group commit. Connections break and hang, and the database fails, hangs and loses responses.
 */
import fc from 'fast-check';
import type { Caller } from '../../gateway/http/request-context.ts';
import type { LedgerClient } from '../../proto/client.ts';
import { type Behaviour, Database } from './database.ts';
import { ACCOUNTS, createGateway, REQUEST_MS, respond } from './gateway.ts';
import { type Connection, Network } from './network.ts';
import { rule, type Schedule, schedulesOf } from './schedule.ts';
import { startWorker } from './worker.ts';

// Of a key before its refusal: it may wait for an earlier check.
const CHECKS_MS = 2 * 500;
// The least time of an attempt: one may begin at the deadline.
const ATTEMPT_MS_MIN = 1;

const client = fc.record({
  account: fc.constantFrom('A' as const, 'B' as const),
  isWrite: fc.constantFrom(true, true, false),
  leaves: fc.constantFrom('never', 'at any time', 'after a failure'),
});
type Client = typeof client extends fc.Arbitrary<infer Value> ? Value : never;

const plan = fc.record({
  clients: fc.array(client, { minLength: 1, maxLength: 6 }),
  /** A's. */
  isRevoked: fc.boolean(),
  /** The reads of another gateway, which ends its side of the stream at once. */
  others: fc.nat({ max: 2 }),
  connections: fc.array(fc.constantFrom<Connection>('works', 'breaks', 'hangs', 'goes silent'), {
    maxLength: 5,
  }),
  statements: fc.array(
    fc.constantFrom<Behaviour>('responds', 'responds', 'loses the response', 'fails', 'hangs'),
    { maxLength: 8 },
  ),
});

interface Outcome {
  text: string;
  isAdmitted: boolean;
  isAfterRevocation: boolean;
  deadline: number;
  at: number;
}

/** The worker may have executed the request, or will. */
const UNKNOWN = ['Unavailable', 'ClientDisconnected', 'server_error'];

/** Another gateway, which sends all it has and ends its side. Its rules are those of the network. */
function sendOthers(network: Network, count: number): void {
  const stream = network.open({ deadline: Date.now() + REQUEST_MS }, true) as ReturnType<
    LedgerClient['execute']
  >;
  stream.on('error', () => {});
  const { accountId, keyHash } = ACCOUNTS.B;
  const read = { listSources: { caller: { accountId, keyHash } }, timeoutMs: REQUEST_MS };
  stream.write({ requests: Array.from({ length: count }, () => read) });
  stream.end();
}

/** All parts, and the state that the rules need. */
function createSystem(
  schedule: Schedule,
  connections: readonly Connection[],
  statements: readonly Behaviour[],
) {
  const database = new Database(schedule, statements, Object.values(ACCOUNTS));
  const network = new Network(schedule, connections);
  const workerCounts = startWorker(schedule, database, network);
  /** Clients that leave after a failure, while their requests wait for another attempt. */
  let leaving: (() => void)[] = [];
  const gateway = createGateway(network, () => {
    for (const leave of leaving) leave();
    leaving = [];
  });
  const disconnected = new WeakSet<Caller>();
  let sentLate = 0;
  network.onSent = (caller) => {
    if (disconnected.has(caller)) sentLate++;
  };
  schedule.always(() => {
    rule(sentLate === 0, 'a request is sent after its client has left');
    rule(
      gateway.ledger.inFlight.requests_pending?.() === network.expected(),
      'a request waits for a stream that has ended, or a stream for a request that has',
    );
  });

  /** Sends request n. */
  async function send(n: number, { account, isWrite, leaves }: Client): Promise<Outcome> {
    const abort = new AbortController();
    const headers = new Headers({ authorization: ACCOUNTS[account].authorization });
    const request = { method: isWrite ? 'POST' : 'GET', headers, signal: abort.signal } as Request;
    const isAfterRevocation = database.isRevoked(ACCOUNTS[account].keyHash);
    const deadline = Date.now() + REQUEST_MS;
    let caller: Caller | undefined;
    const leave = () =>
      schedule.event(`the client of request ${n} leaves`, () => {
        abort.abort();
        // A write continues.
        if (caller && !isWrite) disconnected.add(caller);
      });
    if (leaves === 'at any time') leave();
    if (leaves === 'after a failure') leaving.push(leave);
    const text = await respond(gateway, request, n, (of) => {
      caller = of;
    });
    schedule.note(`request ${n}: ${text}`);
    return { text, isAdmitted: caller !== undefined, isAfterRevocation, deadline, at: Date.now() };
  }

  return { database, network, gateway, counts: [...workerCounts, ...gateway.counts], send };
}

function requireOutcome(
  n: number,
  client: Client,
  outcome: Outcome | undefined,
  { created }: Database,
): void {
  rule(outcome !== undefined, `request ${n} has no outcome`);
  const { text, isAdmitted, isAfterRevocation, deadline, at } = outcome;
  const { account, isWrite } = client;
  const isRefused = text === 'invalid_key';
  const isUnknown = UNKNOWN.includes(text);
  const own = created.filter(({ amount }) => amount === n);
  rule(own.length <= 1, `the entry of request ${n} is created twice`);
  rule(
    own.every((each) => each.at <= deadline),
    `the entry of request ${n} is created after its deadline`,
  );
  rule(
    at <= deadline + (isRefused ? CHECKS_MS : ATTEMPT_MS_MIN),
    `request ${n} has its outcome after its deadline`,
  );
  const expected = isWrite ? 'created' : `the sources of ${ACCOUNTS[account].accountId}`;
  rule(isUnknown || isRefused || text === expected, `request ${n} has an outcome of its own: ${text}`);
  const isDropped = isWrite && isAdmitted && text === 'ClientDisconnected';
  rule(!isDropped, `request ${n}, a write, ends because its client leaves`);
  rule(text !== 'created' || own.length === 1, `request ${n} is reported as created, and is not`);
  rule(!isRefused || own.length === 0, `request ${n} is refused, and its entry is created`);
  rule(
    !isAfterRevocation || (own.length === 0 && (isRefused || isUnknown)),
    `request ${n}, begun after the revocation, succeeds`,
  );
}

export const requests = schedulesOf({
  plan,
  async run(schedule, { clients, isRevoked, others, connections, statements }) {
    const { database, network, gateway, counts, send } = createSystem(schedule, connections, statements);
    if (isRevoked) schedule.event('the key of A is revoked', () => database.revoke(ACCOUNTS.A.keyHash));
    if (others > 0) schedule.event('another gateway sends reads', () => sendOthers(network, others));
    const outcomes = new Map<number, Outcome>();
    for (const [n, client] of clients.entries())
      schedule.event(`request ${n} of ${client.account} arrives`, () => {
        void send(n, client).then((outcome) => outcomes.set(n, outcome));
      });
    await schedule.run(() => outcomes.size === clients.length);
    gateway.close();
    // Also what is left of requests that have their outcomes, and of streams.
    await schedule.run(() => false);
    for (const [n, client] of clients.entries()) requireOutcome(n, client, outcomes.get(n), database);

    const left = counts.flatMap((each) => Object.entries(each)).filter(([, count]) => count() > 0);
    rule(left.length === 0, `left in use: ${left.map(([kind]) => kind)}`);
    schedule.calm();
    network.heal();
    database.heal();
    const last = send(clients.length, { account: 'B', isWrite: true, leaves: 'never' });
    rule((await schedule.until(last)).text === 'created', 'no request succeeds after all others have ended');
  },
});
