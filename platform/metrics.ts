/** How both processes are measured: a registry of Prometheus metrics, and an address that shows it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** Upper bounds of what a request, a call or a statement takes, in seconds: around the usual, and up to the deadline. */
export const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

// What else the library measures of its process is V8's, and always 0 on Bun.
const OF_THE_PROCESS = /^(process_|nodejs_eventloop_lag_)/;

/** A registry that has what is known of every process: its resources, the lag of its event loop, what it was built from. */
export function createRegistry(service: string, version: string): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const { name } of registry.getMetricsAsArray()) {
    if (!OF_THE_PROCESS.test(name)) registry.removeSingleMetric(name);
  }
  new Gauge({
    name: 'ledger_build_info',
    help: 'Always 1; its labels tell what runs.',
    labelNames: ['service', 'version', 'bun'],
    registers: [registry],
  }).set({ service, version, bun: Bun.version }, 1);
  return registry;
}

/** A gauge whose value is read each time that somebody looks. */
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

export interface MetricsServer {
  /** host:port as bound. */
  address: string;
  stop(): void;
}

/**
 * Shows the registry at `/metrics`, in the text format of Prometheus.
 * @param address host:port
 * @throws Error when the address cannot be bound
 */
export async function serveMetrics(address: string, registry: Registry): Promise<MetricsServer> {
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
  await once(server, 'listening');
  return {
    address: `${host}:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
