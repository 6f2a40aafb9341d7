/** Measures when the cluster has recovered. */
import type { Gateway } from '../../local/servers/gateway.ts';
import { fetchReadiness } from './balancer.ts';
import type { Client, rotateKeys } from './clients.ts';
import type { Cluster } from './cluster.ts';
import type { ClusterProcess } from './cluster-process.ts';
import { succeeded } from './history.ts';
import type { Transport } from './transport.ts';

// Then the cluster counts as not recovered. That is 60 times what docs/faults.md promises, for slow machines.
const RECOVERY_MS_MAX = 120_000;
const PROBES_IN_A_ROW = 3;
const PAUSE_MS = 20;
/** Enough keys to probe one gateway for RECOVERY_MS_MAX. */
export const KEYS_PER_PROBER = 8;

/**
 * Probes each gateway until it is ready, not degraded, and serves a write and a read, three times in a row.
 * @returns the time of the first of these probes, for the last gateway; infinite after two minutes
 */
export async function recovery({ gateways }: Cluster, transport: Transport, probers: Prober[]) {
  const moments = gateways.map((gateway, n) => healthySince(gateway, transport, probers[n] as Prober));
  return Math.max(...(await Promise.all(moments)));
}

type Prober = Pick<Client, 'workload'> & { key: ReturnType<typeof rotateKeys> };

async function healthySince(
  gateway: ClusterProcess<Gateway>,
  transport: Transport,
  { workload, key }: Prober,
) {
  const [source] = workload.account.sources;
  const route = () => [gateway];
  let since = 0;
  let inARow = 0;
  for (const end = performance.now() + RECOVERY_MS_MAX; performance.now() < end; await Bun.sleep(PAUSE_MS)) {
    const begun = performance.now();
    const isHealthy =
      (await isReady(gateway)) &&
      succeeded(await transport.write(workload.batch(1, 'none'), key.next(), { route })) &&
      succeeded(await transport.page({ sourceId: source?.id ?? '', limit: 5 }, key.next(), { route }));
    inARow = isHealthy ? inARow + 1 : 0;
    if (inARow === 1) since = begun;
    if (inARow === PROBES_IN_A_ROW) return since;
  }
  return Number.POSITIVE_INFINITY;
}

const isReady = async (gateway: ClusterProcess<Gateway>) => {
  const response = await fetchReadiness(gateway).catch(() => undefined);
  const body = (await response?.json().catch(() => undefined)) as { status?: string } | undefined;
  return body?.status === 'ok';
};
