/** An open loop: requests are due at fixed times, and their latency counts from when they were due. */
import type { Sample } from './closed-loop.ts';
import type { Line, Request } from './line.ts';
import type { Side } from './side.ts';
import { latency } from './statistics.ts';

// Requests are due at whole milliseconds: finer than that no timer wakes a process.
const TICK_MS = 1;

export function openLoopSide(
  name: string,
  connect: () => Promise<Line>,
  render: () => Request,
  perSecond: number,
): Side {
  let lines: Line[] = [];
  let requests: Request[] = [];
  return {
    name,
    async begin(clients) {
      lines = await Promise.all(Array.from({ length: clients }, connect));
    },
    load(seconds) {
      requests = Array.from({ length: Math.ceil(perSecond * seconds) }, render);
      Bun.gc(true);
    },
    run: () => openLoop(lines, requests, perSecond),
    end() {
      for (const line of lines) line.close();
    },
  };
}

function openLoop(lines: readonly Line[], requests: readonly Request[], perSecond: number): Promise<Sample> {
  const times = new Float64Array(requests.length);
  const failures: Record<string, number> = {};
  const idle = [...lines];
  let sent = 0;
  let answered = 0;
  let entries = 0;
  return new Promise((resolve) => {
    const begun = performance.now();
    const dueAt = (index: number) => begun + Math.floor((index * 1000) / perSecond / TICK_MS) * TICK_MS;
    const sendDue = () => {
      const now = performance.now();
      while (sent < requests.length && dueAt(sent) <= now) {
        const line = idle.pop();
        if (line === undefined) return;
        send(line, requests[sent] as Request, dueAt(sent));
        sent++;
      }
    };
    const send = (line: Line, request: Request, due: number) => {
      line.send(request, (said) => {
        times[answered++] = performance.now() - due;
        if (said === request.expected) entries += request.entries;
        else failures[said] = (failures[said] ?? 0) + 1;
        idle.push(line);
        sendDue();
        if (answered < requests.length) return;
        clearInterval(clock);
        const seconds = (performance.now() - begun) / 1000;
        resolve({ requests: answered, entries, seconds, latencyMs: latency(times), failures });
      });
    };
    const clock = setInterval(sendDue, TICK_MS);
  });
}
