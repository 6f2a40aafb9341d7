/** The load balancer: checks the readiness of each gateway and distributes requests over the ready ones. */
import type { Gateway } from '../../local/servers/gateway.ts';
import { until } from '../fixtures/until.ts';
import type { ClusterProcess } from './cluster-process.ts';

const CHECK_EVERY_MS = 100;
const CHECK_TIMEOUT_MS = 1_000;
// An orchestrator's patience.
const READY_MS_MAX = 60_000;

/** Gateways in the order in which a request tries them. */
export type Route = () => { name: string; current: Pick<Gateway, 'url'> }[];

export function startBalancer(gateways: ClusterProcess<Gateway>[]) {
  const unready = new Set<ClusterProcess<Gateway>>();
  let next = 0;
  let open = true;

  const watch = async (gateway: ClusterProcess<Gateway>) => {
    for (; open; await Bun.sleep(CHECK_EVERY_MS)) {
      if (await isReady(gateway)) unready.delete(gateway);
      else unready.add(gateway);
    }
  };
  for (const gateway of gateways) watch(gateway);

  // Gateways that are not ready come last.
  const startingAt = (first: number) => {
    const rotated = gateways.map(
      (_, n) => gateways[(first + n) % gateways.length] as ClusterProcess<Gateway>,
    );
    return [...rotated.filter((each) => !unready.has(each)), ...rotated.filter((each) => unready.has(each))];
  };
  return {
    /** Round robin. */
    route: () => startingAt(next++),
    /** They begin at different gateways while both are ready. */
    distinctRoutes: [() => startingAt(0), () => startingAt(1)] satisfies [Route, Route],
    untilInService: () => until('every gateway is ready', () => unready.size === 0, READY_MS_MAX),
    close() {
      open = false;
    },
  };
}

const isReady = (gateway: ClusterProcess<Gateway>) =>
  fetchReadiness(gateway).then(
    ({ ok }) => ok,
    () => false,
  );

/** The response of `/readyz`. */
export function fetchReadiness(gateway: ClusterProcess<Gateway>): Promise<Response> {
  return fetch(`${gateway.current.url}/readyz`, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
}
