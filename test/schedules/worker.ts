/** The worker's real parts, from the RPC Execute to the statements, in front of a model database. */
import type { Logger } from 'pino';
import type { Nodes } from '../../ledger-worker/database/nodes.ts';
import { createExecute } from '../../ledger-worker/grpc/execute.ts';
import type { LedgerHandlers, RpcContext } from '../../ledger-worker/handler-types.ts';
import { ledgerService } from '../../ledger-worker/ledger/service.ts';
import type { InFlightCounts } from '../../platform/metrics.ts';
import type { Database } from './database.ts';
import type { Network } from './network.ts';
import { rule, type Schedule } from './schedule.ts';

const KEYS_MAX = 10;
const LOG = { warn() {}, error() {} } as unknown as Logger;

/** Serves the streams of the network. @returns its counts of resources in use */
export function startWorker(schedule: Schedule, database: Database, network: Network): InFlightCounts[] {
  const { pool } = database;
  const counts: InFlightCounts[] = [];
  let isLate = false;
  database.onWrite = (writeId, until) => {
    isLate ||= until > (network.deadlines.get(writeId) ?? 0);
  };
  const observer = {
    rpcFinished() {},
    statementFinished() {},
    writeFinished() {},
    registerInFlight: (more: InFlightCounts) => counts.push(more),
  };
  const node = { groupId: undefined, isUp: true, pool };
  const nodes: Pick<Nodes, 'readAnywhere' | 'check'> = {
    readAnywhere: (read, signal) => read(pool, signal),
    check: async () => true,
  };
  const all = Object.assign(nodes, { of: () => node, [Symbol.iterator]: () => [node].values() });
  const handlers = ledgerService(
    { nodes: all as unknown as Nodes, requestsInFlightMax: 16, observer },
    KEYS_MAX,
  );

  const running = new Set<{ context: RpcContext; stream: Network['receiving']; index: number }>();
  const watched = Object.entries(handlers).map(([name, handler]) => [
    name,
    (request: never, context: RpcContext) => {
      const stream = network.receiving;
      const each = { context, stream, index: stream ? stream.started++ : 0 };
      running.add(each);
      return handler(request, context).finally(() => running.delete(each));
    },
  ]);
  schedule.always(() => {
    rule(!isLate, 'a write has more time in the database than in the worker');
    for (const { context, stream, index } of running) {
      const isOver = stream?.hasEndedThere || stream?.cancelled.has(index) || context.remainingMs() < 0;
      rule(!isOver || context.signal.aborted, 'the worker works for a request that nobody waits for');
    }
  });
  network.serve = createExecute(Object.fromEntries(watched) as LedgerHandlers, {
    observer,
    tracing: undefined,
    log: LOG,
  });
  return counts;
}
