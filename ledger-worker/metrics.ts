/** What the worker counts and times. */
import { status } from '@grpc/grpc-js';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { readGauge, SECONDS } from '../platform/metrics.ts';
import type { Outcome } from './ledger/create-batches.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Registers the metrics; each function counts something. */
export function createMetrics(registry: Registry) {
  const registers = [registry];
  const calls = new Histogram({
    name: 'grpc_server_handling_seconds',
    help: 'Questions of gateways and calls of the Admin service, by their gRPC status.',
    labelNames: ['grpc_method', 'grpc_code'],
    buckets: SECONDS,
    registers,
  });
  const statements = new Histogram({
    name: 'ledger_statement_duration_seconds',
    help: 'Statements of the Ledger service, with their wait for a connection and what was tried again.',
    labelNames: ['statement', 'outcome'],
    buckets: SECONDS,
    registers,
  });
  const groups = new Histogram({
    name: 'ledger_group_size',
    help: 'Requests that shared a statement.',
    labelNames: ['statement'],
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers,
  });
  const batches = new Counter({
    name: 'ledger_batches_total',
    help: 'Requests to create entries, by what became of them.',
    labelNames: ['outcome'],
    registers,
  });
  const created = new Counter({
    name: 'ledger_entries_created_total',
    help: 'Entries that were committed.',
    registers,
  });
  const deduplicated = new Counter({
    name: 'ledger_entries_deduplicated_total',
    help: 'Entries that were not created because their reference was in the books.',
    registers,
  });
  const databaseUp = new Gauge({
    name: 'ledger_database_up',
    help: '1 while the database answers, 0 while calls are refused because it does not.',
    registers,
  });

  return {
    callAnswered(method: string, code: status, seconds: number) {
      calls.observe({ grpc_method: method, grpc_code: status[code] }, seconds);
    },
    /** Times a statement that `size` requests share. */
    async statement<Rows>(statement: string, size: number, work: () => Promise<Rows>): Promise<Rows> {
      groups.observe({ statement }, size);
      const end = statements.startTimer({ statement });
      try {
        const rows = await work();
        end({ outcome: 'ok' });
        return rows;
      } catch (error) {
        end({ outcome: 'failed' });
        throw error;
      }
    },
    batchDone(outcome: Outcome) {
      batches.inc({ outcome: outcome.outcome });
      if (outcome.outcome !== 'created') return;
      created.inc(outcome.added);
      deduplicated.inc(outcome.existing.length);
    },
    databaseIsUp(isUp: boolean) {
      databaseUp.set(isUp ? 1 : 0);
    },
    /** Of a worker that has a replica: what became of the pages that it might have been asked for. */
    replica(isUp: () => boolean) {
      readGauge(registry, 'ledger_replica_up', '1 while the replica is asked.', () => (isUp() ? 1 : 0));
      const pages = new Counter({
        name: 'ledger_replica_pages_total',
        help: 'Pages that the replica answered, or the primary in its place.',
        labelNames: ['outcome'],
        registers,
      });
      return (outcome: 'used' | 'behind' | 'unanswered' | 'not_asked', count: number) =>
        pages.inc({ outcome }, count);
    },
    /** Read each time that somebody looks. */
    pool(max: number, read: () => { busy: number; waiting: number }) {
      const gauge = readGauge.bind(undefined, registry);
      gauge('ledger_database_connections_max', 'Connections that statements may use.', () => max);
      gauge('ledger_database_connections_busy', 'Of these, those in use.', () => read().busy);
      gauge('ledger_database_statements_waiting', 'Statements that wait for one.', () => read().waiting);
    },
  };
}
