/** Measures when the cluster has recovered. */
import type { Gateway } from '../../local/servers/gateway.ts';
import { fetchReadiness } from './balancer.ts';
import { type Client, rotateKeys } from './clients.ts';
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
 * Returns a function that probes each gateway until it is ready, not degraded, and serves a write and a read, three times
 * in a row. It resolves with the time of the first of these probes, for the last gateway, or with undefined after two minutes.
 */
export function recovery(
  { gateways }: Cluster,
  transport: Transport,
  probers: Client[],
): () => Promise<number | undefined> {
  const rotations = probers.map(({ keys }) => rotateKeys(keys));
  return async () => {
    const moments = await Promise.all(
      gateways.map((gateway, n) =>
        healthySince(gateway, transport, probers[n] as Client, rotations[n] as ReturnType<typeof rotateKeys>),
      ),
    );
    return moments.every((moment) => moment !== undefined) ? Math.max(...moments) : undefined;
  };
}

async function healthySince(
  gateway: ClusterProcess<Gateway>,
  transport: Transport,
  { workload }: Client,
  key: ReturnType<typeof rotateKeys>,
) {
  const [source] = workload.account.sources;
  const route = () => [gateway];
  let since: number | undefined;
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
  return undefined;
}

async function isReady(gateway: ClusterProcess<Gateway>): Promise<boolean> {
  try {
    const { status } = (await (await fetchReadiness(gateway)).json()) as { status: string };
    return status === 'ok';
  } catch {
    return false;
  }
}
