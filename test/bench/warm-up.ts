/** Unmeasured runs, because new processes and connections are slower. */
import type { Sample } from './closed-loop.ts';
import type { Side } from './side.ts';
import type { Workload } from './workload.ts';

const SECONDS = 2;

export function warmUp(side: Side, seconds: number): Promise<Sample> {
  side.load(seconds);
  return side.run(seconds);
}

/** Warms up each side of a workload. */
export async function warmUpAll(workload: Workload): Promise<void> {
  await workload.prepare();
  for (const side of workload.sides()) {
    await side.begin(workload.clients);
    await warmUp(side, SECONDS);
    side.end();
  }
}
