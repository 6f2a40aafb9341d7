/** Runs that nobody looks at: what has only just begun is slower than it will be. */
import type { Sample } from './closed-loop.ts';
import type { Side } from './side.ts';
import type { Workload } from './workload.ts';

const SECONDS = 2;

export function warmUp(side: Side, seconds: number): Promise<Sample> {
  side.load(seconds);
  return side.run(seconds);
}

/** Each side of a workload by itself. */
export async function warmUpAll(workload: Workload): Promise<void> {
  await workload.prepare();
  for (const side of workload.sides()) {
    await side.begin(workload.clients);
    await warmUp(side, SECONDS);
    side.end();
  }
}
