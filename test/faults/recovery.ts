/** When is everything as it was? */
import type { Gateway } from '../../local/servers/gateway.ts';
import { ask } from './balancer.ts';
import { type Client, takeTurns } from './clients.ts';
import type { Cluster } from './cluster.ts';
import { succeeded } from './history.ts';
import type { Part } from './part.ts';
import type { Transport } from './transport.ts';

// A hang guard.
const RECOVERY_MS_MAX = 60_000;
const PROBES_IN_A_ROW = 5;
const PAUSE_MS = 60;
/** What one gateway is probed with: enough for as long as it takes. */
export const KEYS_PER_PROBER = 8;

/**
 * Asks each gateway until it says that it is ready and not degraded, writes and reads, several times in a
 * row.
 * @returns the first moment from which that was so for all of them; undefined when it was not within a
 *   minute
 */
export async function recovery(
  { gateways }: Cluster,
  transport: Transport,
  probers: Client[],
): Promise<number | undefined> {
  const moments = await Promise.all(
    gateways.map((gateway, n) => steadySince(gateway, transport, probers[n] as Client)),
  );
  return moments.every((moment) => moment !== undefined) ? Math.max(...moments) : undefined;
}

async function steadySince(gateway: Part<Gateway>, transport: Transport, { keys, workload }: Client) {
  const key = takeTurns(keys);
  const [source] = workload.account.sources;
  const route = () => [gateway];
  let since: number | undefined;
  let inARow = 0;
  for (const end = performance.now() + RECOVERY_MS_MAX; performance.now() < end; await Bun.sleep(PAUSE_MS)) {
    const begun = performance.now();
    const isWell =
      (await isServingFully(gateway)) &&
      succeeded(await transport.write(workload.batch(1, 'none'), key.next(), { route })) &&
      succeeded(await transport.page({ sourceId: source?.id ?? '', limit: 5 }, key.next(), { route }));
    inARow = isWell ? inARow + 1 : 0;
    if (inARow === 1) since = begun;
    if (inARow === PROBES_IN_A_ROW) return since;
  }
  return undefined;
}

async function isServingFully(gateway: Part<Gateway>): Promise<boolean> {
  try {
    const { status } = (await (await ask(gateway)).json()) as { status: string };
    return status === 'ok';
  } catch {
    return false;
  }
}
