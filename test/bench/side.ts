/** A side of a comparison: one way to do the work of a workload. */
import { closedLoop, type Sample } from './closed-loop.ts';
import type { Connection, Request } from './connection.ts';

export interface Side {
  name: string;
  begin(clients: number): Promise<void>;
  /** Renders the requests for a run of so many seconds, outside of the measured time. */
  load(seconds: number): void;
  run(seconds: number): Promise<Sample>;
  end(): void;
}

export interface ClosedLoopSide {
  name: string;
  connect(): Promise<Connection>;
  /** Renders `count` new requests. */
  render(count: number): Request[];
}

// For the first run, when no rate is known: more than one second can use.
const FIRST_REQUESTS = 20_000;
const FIRST_ENTRIES = 60_000;
const SPARE = 1.3;

/** A side whose clients are a closed loop over connections of this process. */
export function closedLoopSide({ name, connect, render }: ClosedLoopSide): Side {
  let connections: Connection[] = [];
  let requests: Request[] = [];
  let perSecond = 0;
  return {
    name,
    async begin(clients) {
      connections = await Promise.all(Array.from({ length: clients }, connect));
    },
    load(seconds) {
      perSecond ||= Math.min(FIRST_REQUESTS, FIRST_ENTRIES / Math.max(render(1)[0]?.entries ?? 0, 1));
      requests = render(Math.ceil(perSecond * seconds * SPARE) + connections.length);
      Bun.gc(true);
    },
    async run(seconds) {
      const sample = await closedLoop(connections, requests, seconds);
      perSecond = sample.requests / sample.seconds;
      return sample;
    },
    end() {
      for (const connection of connections) connection.close();
    },
  };
}
