/** A closed loop: every client sends its next request as soon as it has the response to the last. */
import type { Connection, Request } from './connection.ts';
import { spread } from './statistics.ts';

export interface Sample {
  requests: number;
  entries: number;
  /** From the first request to the last response. */
  seconds: number;
  p50Ms: number;
  /** The number of unexpected responses by result. */
  failures: Record<string, number>;
}

/** Each connection is a client. The loop ends when the time is up or all requests are sent. */
export function closedLoop(
  connections: readonly Connection[],
  requests: readonly Request[],
  seconds: number,
): Promise<Sample> {
  const times = new Float64Array(requests.length);
  const failures: Record<string, number> = {};
  let sent = 0;
  let completed = 0;
  let entries = 0;
  return new Promise((resolve) => {
    const begun = performance.now();
    const end = begun + seconds * 1000;
    const finish = (now: number) => {
      const p50Ms = spread([...times.subarray(0, completed)]).median;
      resolve({ requests: completed, entries, seconds: (now - begun) / 1000, p50Ms, failures });
    };
    const sendNext = (connection: Connection, now: number) => {
      const request = requests[sent];
      if (request === undefined || now >= end) {
        if (completed === sent) finish(now);
        return;
      }
      sent++;
      connection.send(request, (result) => {
        const then = performance.now();
        times[completed++] = then - now;
        if (result === request.expected) entries += request.entries;
        else failures[result] = (failures[result] ?? 0) + 1;
        sendNext(connection, then);
      });
    };
    for (const connection of connections) sendNext(connection, performance.now());
  });
}
