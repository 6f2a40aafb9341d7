/** The health of the workers, for probes of the gateway. */
import { workerReason } from '../../platform/remedies.ts';
import type { createLedgerClient } from '../../proto/client.ts';
import type { DatabaseTime } from '../../proto/contract.ts';

const HEALTH_MS_MAX = 1_000;
const HEALTH_ATTEMPT_MS_MAX = 500;
const HEALTH_PAUSE_MS = 50;

/**
 * Whether any worker reports SERVING by the gRPC health protocol, within a second.
 * @param onTimes gets the times of the database in the response. @param onFailure gets the reason of each attempt that fails
 */
export async function isServing(
  prober: ReturnType<typeof createLedgerClient>,
  onTimes: (times: readonly DatabaseTime[], roundTripMs: number) => void,
  onFailure?: (reason: string | undefined) => void,
): Promise<boolean> {
  // Each attempt goes to the next worker.
  const end = performance.now() + HEALTH_MS_MAX;
  for (; performance.now() < end; await Bun.sleep(HEALTH_PAUSE_MS)) {
    const sentAt = performance.now();
    const deadline = Date.now() + Math.min(end - sentAt, HEALTH_ATTEMPT_MS_MAX);
    const health = await prober.checkHealth(
      'ledger.v1.Ledger',
      { deadline },
      {
        onError: ({ details, message }) => onFailure?.(workerReason(details ?? message)),
        onTimes: (times) => onTimes(times, performance.now() - sentAt),
      },
    );
    if (health === 'SERVING') return true;
    if (health === 'NOT_SERVING') onFailure?.('the database of the worker is unavailable: see its log');
  }
  return false;
}
