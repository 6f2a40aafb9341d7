/** An open loop: requests are due at fixed times, and latency counts from the due time. */
import type { Sample } from './closed-loop.ts';
import type { Connection, Request } from './connection.ts';
import type { Side } from './side.ts';
import { latency } from './statistics.ts';

// Timers have a resolution of one millisecond.
const TICK_MS = 1;

export function openLoopSide(
  name: string,
  connect: () => Promise<Connection>,
  render: () => Request,
  perSecond: number,
): Side {
  let connections: Connection[] = [];
  let requests: Request[] = [];
  return {
    name,
    async begin(clients) {
      connections = await Promise.all(Array.from({ length: clients }, connect));
    },
    load(seconds) {
      requests = Array.from({ length: Math.ceil(perSecond * seconds) }, render);
      Bun.gc(true);
    },
    run: () => openLoop(connections, requests, perSecond),
    end() {
      for (const connection of connections) connection.close();
    },
  };
}

function openLoop(
  connections: readonly Connection[],
  requests: readonly Request[],
  perSecond: number,
): Promise<Sample> {
  const times = new Float64Array(requests.length);
  const failures: Record<string, number> = {};
  const idle = [...connections];
  let sent = 0;
  let completed = 0;
  let entries = 0;
  return new Promise((resolve) => {
    const begun = performance.now();
    const dueAt = (index: number) => begun + Math.floor((index * 1000) / perSecond / TICK_MS) * TICK_MS;
    const sendDue = () => {
      const now = performance.now();
      while (sent < requests.length && dueAt(sent) <= now) {
        const connection = idle.pop();
        if (connection === undefined) return;
        send(connection, requests[sent] as Request, dueAt(sent));
        sent++;
      }
    };
    const send = (connection: Connection, request: Request, due: number) => {
      connection.send(request, (result) => {
        times[completed++] = performance.now() - due;
        if (result === request.expected) entries += request.entries;
        else failures[result] = (failures[result] ?? 0) + 1;
        idle.push(connection);
        sendDue();
        if (completed < requests.length) return;
        clearInterval(clock);
        const seconds = (performance.now() - begun) / 1000;
        resolve({ requests: completed, entries, seconds, latencyMs: latency(times), failures });
      });
    };
    const clock = setInterval(sendDue, TICK_MS);
  });
}
