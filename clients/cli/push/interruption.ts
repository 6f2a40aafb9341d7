/** The end of a push by Ctrl-C. */
import type { Push } from './read-push.ts';

/** Ctrl-C stops after the running request, and a second one at once. */
export function interruption({ output }: Push): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const onInterrupt = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
    output.note(['', 'Stopping after the running request. Press Ctrl-C again to stop at once.']);
  };
  process.on('SIGINT', onInterrupt);
  return { signal: controller.signal, end: () => process.off('SIGINT', onInterrupt) };
}
