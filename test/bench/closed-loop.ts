/** A closed loop: every client sends its next request as soon as it has the answer to its last. */
import type { Line, Request } from './line.ts';
import { type Latency, latency } from './statistics.ts';

export interface Sample {
  requests: number;
  entries: number;
  /** From the first request to the last answer. */
  seconds: number;
  latencyMs: Latency;
  /** How often an answer was another than the one that was expected, by what it said. */
  failures: Record<string, number>;
}

/** Each line is a client. It ends when the time is up, or when all requests were sent. */
export function closedLoop(
  lines: readonly Line[],
  requests: readonly Request[],
  seconds: number,
): Promise<Sample> {
  const times = new Float64Array(requests.length);
  const failures: Record<string, number> = {};
  let sent = 0;
  let answered = 0;
  let entries = 0;
  return new Promise((resolve) => {
    const begun = performance.now();
    const end = begun + seconds * 1000;
    const finish = (now: number) => {
      const latencyMs = latency(times.subarray(0, answered));
      resolve({ requests: answered, entries, seconds: (now - begun) / 1000, latencyMs, failures });
    };
    const sendNext = (line: Line, now: number) => {
      const request = requests[sent];
      if (request === undefined || now >= end) {
        if (answered === sent) finish(now);
        return;
      }
      sent++;
      line.send(request, (said) => {
        const then = performance.now();
        times[answered++] = then - now;
        if (said === request.expected) entries += request.entries;
        else failures[said] = (failures[said] ?? 0) + 1;
        sendNext(line, then);
      });
    };
    for (const line of lines) sendNext(line, performance.now());
  });
}
