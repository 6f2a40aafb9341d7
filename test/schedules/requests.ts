/**
 * Schedules of writes on their way: the gateway's retries and multiplexer, and the worker's multiplexer, slots and group commit. Connections
 * break and hang, and the database refuses, hangs and loses responses.
 */
import fc from 'fast-check';
import type { Logger } from 'pino';
import { Multiplexer } from '../../gateway/ledger/multiplexer.ts';
import { withRetries } from '../../gateway/ledger/retries.ts';
import { createExecute } from '../../ledger-worker/grpc/execute.ts';
import type { LedgerHandlers, RpcContext } from '../../ledger-worker/interfaces.ts';
import { GroupCommit, inFlightCounts } from '../../ledger-worker/ledger/group-commit.ts';
import { createNodeSlots, withSlots } from '../../ledger-worker/slots.ts';
import { cancelled, unavailable } from '../../ledger-worker/status.ts';
import type { InFlightCounts } from '../../platform/metrics.ts';
import { createQuota } from '../../platform/quota.ts';
import { type Connection, network } from './network.ts';
import { rule, type Schedule, schedulesOf } from './schedule.ts';

const REQUEST_MS = 10_000;
const ATTEMPT_MS = 5_000;
const LOG = { warn() {}, error() {} } as unknown as Logger;

const connections = fc.array(fc.constantFrom<Connection>('works', 'breaks', 'hangs'), { maxLength: 5 });
const attempts = fc.array(
  fc.constantFrom('responds', 'responds late', 'loses the response', 'fails', 'hangs'),
  {
    maxLength: 6,
  },
);
const clients = fc.array(fc.record({ account: fc.constantFrom('A', 'B'), disconnects: fc.boolean() }), {
  minLength: 1,
  maxLength: 6,
});
const plan = fc.record({ clients, connections, attempts });

interface Write {
  name: string;
  account: string;
  context: RpcContext;
}

/** The database: creates each write once, in the transaction of its statement, unless the deadline of the write has passed. */
class Database {
  readonly created = new Set<string>();
  #statements = 0;

  constructor(
    private readonly schedule: Schedule,
    private readonly behaviours: readonly string[],
  ) {}

  async execute(writes: readonly Write[], signal: AbortSignal): Promise<string[]> {
    const n = ++this.#statements;
    const behaviour = this.behaviours[n - 1] ?? 'responds';
    this.schedule.note(`statement ${n} has ${writes.map(({ name }) => name).join(', ')}`);
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    );
    aborted.catch(() => {});
    if (behaviour === 'hangs') await aborted;
    if (behaviour === 'responds late') await Promise.race([Bun.sleep(ATTEMPT_MS), aborted]);
    await Promise.race([this.schedule.happens(`statement ${n} ${behaviour}`), aborted]);
    if (behaviour === 'fails') throw unavailable('the statement failed');
    const outcomes = writes.map(({ name, context }) => {
      if (!this.created.has(name) && context.remainingMs() <= 0) return 'expired';
      this.created.add(name);
      return `${name} is created`;
    });
    if (behaviour === 'loses the response') throw unavailable('the response is lost');
    return outcomes;
  }
}

/** The worker: the real parts in front of the model database. */
function worker(database: Database) {
  const counts: InFlightCounts[] = [];
  const requests = createQuota(4);
  const slots = createNodeSlots(16, true);
  const commit = new GroupCommit<Write, string>({
    execute: (writes, _, signal) => database.execute(writes, signal),
    accountOf: ({ account }) => account,
    sizeOf: () => 1,
    groupsMax: 2,
    lockWaitersMax: 1,
    membersMax: 3,
    sizeMax: 1_000,
  });
  counts.push(
    { slots: slots.used, requests: requests.used },
    inFlightCounts(() => [commit]),
  );
  const createEntries = (request: { requestId: string; sourceId: string }, context: RpcContext) =>
    withSlots([requests.open(), slots.open(request.sourceId)], async () => {
      const write = { name: request.requestId, account: request.sourceId, context };
      const outcome = await commit.add(write);
      if (outcome === 'expired') throw cancelled();
      return { outcome: 'created', created: { storedJson: outcome } };
    });
  const observer = {
    rpcFinished: () => {},
    registerInFlight: (more: InFlightCounts) => counts.push(more),
  };
  const execute = createExecute({ createEntries } as unknown as LedgerHandlers, observer, undefined, LOG);
  const left = () =>
    counts.flatMap((each) => Object.entries(each)).filter(([, count]) => (count as () => number)() > 0);
  return { execute, left };
}

export const requests = schedulesOf({
  plan,
  async run(schedule, { clients, connections, attempts }) {
    const database = new Database(schedule, attempts);
    const { execute, left } = worker(database);
    const multiplexer = new Multiplexer(network(schedule, connections, execute));
    const retrying = createQuota(2);
    const outcomes = new Map<string, { text: string; hasDisconnected: boolean }>();
    for (const [n, { account, disconnects }] of clients.entries()) {
      const name = `${account}${n}`;
      schedule.event(`${name} is sent`, () => {
        const abort = new AbortController();
        const deadline = performance.now() + REQUEST_MS;
        const end = (text: string) => {
          schedule.note(`${name}: ${text}`);
          outcomes.set(name, { text, hasDisconnected: abort.signal.aborted });
          if (performance.now() > deadline) outcomes.set(name, { text: 'late', hasDisconnected: false });
        };
        // The product's type has more members, which only the real handler reads.
        const request = { requestId: name, sourceId: account } as never;
        withRetries({ deadline, signal: abort.signal, retrying }, (options) =>
          multiplexer.execute('createEntries', request, options),
        ).then(
          ({ created }) => end(`${created?.storedJson}`),
          (error) => end((error as Error).constructor.name),
        );
        if (disconnects) schedule.event(`the client of ${name} disconnects`, () => abort.abort());
      });
    }
    await schedule.run(() => outcomes.size === clients.length);
    // Also what is left of requests that have their outcomes, and of streams.
    await schedule.run(() => false);

    for (const [n, { account }] of clients.entries()) {
      const name = `${account}${n}`;
      const { text, hasDisconnected } = outcomes.get(name) ?? { text: 'none' };
      rule(text !== 'none', `${name} has no outcome`);
      rule(text !== 'late', `${name} has its outcome after its deadline`);
      const isUnknown = text === 'Unavailable' || (text === 'ClientDisconnected' && hasDisconnected === true);
      rule(isUnknown || text === `${name} is created`, `${name} has an outcome of its own: ${text}`);
      rule(isUnknown || database.created.has(name), `${name} is reported as created, and is not`);
    }
    const kinds = left().map(([kind]) => kind);
    rule(kinds.length === 0, `left in use: ${kinds}`);
    rule(multiplexer.inFlight().requests === 0, 'the multiplexer has requests without an outcome');
    rule(retrying.used() === 0, 'a request that tries again keeps its place');
  },
});
