/** A side of a comparison: a service, and clients that are a closed loop over connections of this process. */
import { closedLoop, type Sample } from './closed-loop.ts';
import type { Connection, Request } from './connection.ts';
import { httpConnection } from './http-load.ts';
import type { Target } from './target.ts';

export type Side = ReturnType<typeof newSide>;

// For the first run, when no rate is known: more than one second can use.
const FIRST_REQUESTS = 20_000;
const FIRST_ENTRIES = 60_000;
const SPARE = 1.3;

/** @param next renders a new request */
export function newSide({ name, url }: Pick<Target, 'name' | 'url'>, next: () => Request) {
  const render = (count: number) => Array.from({ length: count }, next);
  let connections: Connection[] = [];
  let requests: Request[] = [];
  let perSecond = 0;
  return {
    name,
    async begin(clients: number) {
      connections = await Promise.all(Array.from({ length: clients }, () => httpConnection(url)));
    },
    /** Renders the requests for a run of so many seconds, outside of the measured time. */
    load(seconds: number) {
      perSecond ||= Math.min(FIRST_REQUESTS, FIRST_ENTRIES / Math.max(render(1)[0]?.entries ?? 0, 1));
      requests = render(Math.ceil(perSecond * seconds * SPARE) + connections.length);
      Bun.gc(true);
    },
    async run(seconds: number): Promise<Sample> {
      const sample = await closedLoop(connections, requests, seconds);
      perSecond = sample.requests / sample.seconds;
      return sample;
    },
    end() {
      for (const connection of connections) connection.close();
    },
  };
}
