/** The Prometheus registry of a process, and the HTTP server for `/metrics`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { FollowedCertificates } from './certificates.ts';
import { bindError } from './remedies.ts';

/** Histogram buckets, in seconds, for the duration of a request, an RPC or a statement. */
export const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

// The library's other default metrics are about V8 and always 0 on Bun.
const DEFAULT_METRICS = /^(process|nodejs_eventloop_lag)_/;
// Each sample wakes the process: every 100 ms they would cost an idle gateway 3.5 ms of CPU a second, more than all else.
const EVENT_LOOP_SAMPLE_MS = 1_000;

/** A registry with the metrics that every process has: resources, event loop lag, versions. */
export function createRegistry(service: string, version: string): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
  for (const { name } of registry.getMetricsAsArray()) {
    if (!DEFAULT_METRICS.test(name)) registry.removeSingleMetric(name);
  }
  new Gauge({
    name: 'ledger_build_info',
    help: 'Always 1; its labels name the service and its versions.',
    labelNames: ['service', 'version', 'bun'],
    registers: [registry],
  }).set({ service, version, bun: Bun.version }, 1);
  return registry;
}

export function readGauge(registry: Registry, name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}

export function registerCertificates(
  registry: Registry,
  ...followed: (FollowedCertificates | undefined)[]
): void {
  new Gauge({
    name: 'ledger_certificate_days_left',
    help: 'Days until the first certificate of the file expires, by the variable that names the file.',
    labelNames: ['variable'],
    registers: [registry],
    collect() {
      this.reset();
      for (const certificates of followed) {
        for (const [variable, days] of Object.entries(certificates?.daysLeft() ?? {}))
          this.set({ variable }, days);
      }
    },
  });
}

/** The resources of requests in progress, by kind. */
export type InFlightCounts = Readonly<Record<string, () => number>>;

export interface InFlightObserver {
  registerInFlight(counts: InFlightCounts): void;
}

/** @returns a function that adds kinds; counts of the same kind are added up */
export function registerInFlight(registry: Registry): (counts: InFlightCounts) => void {
  const kinds: [kind: string, count: () => number][] = [];
  new Gauge({
    name: 'ledger_in_flight',
    help: 'Resources of requests in progress, by kind: all 0 without requests.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, count] of kinds) this.inc({ kind }, count());
    },
  });
  return (counts) => kinds.push(...Object.entries(counts));
}

interface MetricsServer {
  address: string;
  stop(): void;
}

/** @param address host:port. @throws Error with one sentence when the address cannot be used */
export async function serveMetrics(
  address: string | undefined,
  registry: Registry,
): Promise<MetricsServer | undefined> {
  if (address === undefined) return undefined;
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end('See /metrics.\n');
      return;
    }
    response.setHeader('content-type', registry.contentType).end(await registry.metrics());
  });
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, colon);
  server.listen(Number(address.slice(colon + 1)), host);
  await once(server, 'listening').catch(async (error) => {
    throw await bindError('METRICS_ADDRESS', address, error);
  });
  return {
    address: `${host}:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
