/** The worker's metrics: implements the observers that its folders declare. */
import { status } from '@grpc/grpc-js';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { readGauge, registerInFlight, SECONDS } from '../platform/metrics.ts';
import { HOST_STATES } from './database/host.ts';
import type { Nodes } from './database/nodes.ts';
import type { Pool } from './database/pool.ts';
import type { RpcObserver } from './grpc/execute.ts';
import type { HealthObserver } from './grpc/health.ts';
import type { LedgerObserver } from './ledger/service.ts';

interface Metrics extends RpcObserver, HealthObserver, LedgerObserver {
  /** Read at each scrape. */
  registerNodes(nodes: Nodes): void;
}

export function createMetrics(registry: Registry): Metrics {
  const registers = [registry];
  const handled = new Histogram({
    name: 'grpc_server_handling_seconds',
    help: 'Requests of gateways and of clients of the Admin service, by their gRPC status.',
    labelNames: ['grpc_method', 'grpc_code'],
    buckets: SECONDS,
    registers,
  });
  const statements = new Histogram({
    name: 'ledger_statement_duration_seconds',
    help: 'Statements of the Ledger service, with their wait for a connection and retries.',
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
  const writes = new Counter({
    name: 'ledger_writes_total',
    help: 'Writes, by their outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const created = new Counter({
    name: 'ledger_entries_created_total',
    help: 'Committed entries.',
    registers,
  });
  const known = new Counter({
    name: 'ledger_entries_known_total',
    help: 'Entries not created because their reference was already known.',
    registers,
  });
  const databaseUp = new Gauge({
    name: 'ledger_database_up',
    help: '1 while the database responds and accepts writes, 0 while requests are refused because it does not.',
    registers,
  });

  return {
    registerInFlight: registerInFlight(registry),
    rpcFinished(method, code, seconds) {
      handled.observe({ grpc_method: method, grpc_code: status[code] }, seconds);
    },
    statementFinished(statement, requests, outcome, seconds) {
      groups.observe({ statement }, requests);
      statements.observe({ statement, outcome }, seconds);
    },
    writeFinished(outcome) {
      writes.inc({ outcome: outcome.outcome });
      if (outcome.outcome !== 'created') return;
      created.inc(outcome.created?.newEntries);
      known.inc(outcome.created?.knownEntries);
    },
    databaseChecked(isUp) {
      databaseUp.set(isUp ? 1 : 0);
    },
    registerNodes(nodes) {
      const gauge = (name: string, help: string, value: (pool: Pool) => number) =>
        readGauge(registry, name, help, () => [...nodes].reduce((sum, { pool }) => sum + value(pool), 0));
      gauge('ledger_database_connections_max', 'Connections that statements may use.', ({ size }) => size);
      gauge(
        'ledger_database_connections_busy',
        'Of these, the connections in use.',
        (pool) => pool.usage().busy,
      );
      gauge(
        'ledger_database_statements_waiting',
        'Statements that wait for one.',
        (pool) => pool.usage().waiting,
      );
      new Gauge({
        name: 'ledger_database_hosts',
        help: 'Hosts of DATABASE_URL, by their state at the last check: writable, read_only or unavailable.',
        labelNames: ['state'],
        registers,
        collect() {
          for (const state of HOST_STATES) {
            this.set({ state }, nodes.hosts.filter((host) => host.state === state).length);
          }
        },
      });
      new Gauge({
        name: 'ledger_node_up',
        help: '1 while a node of the database responds, 0 while its accounts are refused.',
        labelNames: ['node'],
        registers,
        collect() {
          this.reset();
          for (const { groupId = 0, isUp } of nodes) this.set({ node: groupId }, isUp ? 1 : 0);
        },
      });
    },
  };
}
