/** What is compared: one way to do the same work, under a closed loop of clients. */
import { closedLoop, type Sample } from './closed-loop.ts';
import type { Line, Request } from './line.ts';

export interface Side {
  name: string;
  begin(clients: number): Promise<void>;
  /** Makes ready what a run of so many seconds will send: nothing of that is measured. */
  load(seconds: number): void;
  run(seconds: number): Promise<Sample>;
  end(): void;
}

export interface LineSide {
  name: string;
  connect(): Promise<Line>;
  /** Renders `count` requests that were never sent before. */
  render(count: number): Request[];
}

// For the first run of all, of which no rate is known: what one second can hardly use up.
const FIRST_REQUESTS = 20_000;
const FIRST_ENTRIES = 60_000;
const SPARE = 1.3;

/** A side whose clients are lines of this process. */
export function lineSide({ name, connect, render }: LineSide): Side {
  let lines: Line[] = [];
  let requests: Request[] = [];
  let perSecond = 0;
  return {
    name,
    async begin(clients) {
      lines = await Promise.all(Array.from({ length: clients }, connect));
    },
    load(seconds) {
      perSecond ||= Math.min(FIRST_REQUESTS, FIRST_ENTRIES / Math.max(render(1)[0]?.entries ?? 0, 1));
      requests = render(Math.ceil(perSecond * seconds * SPARE) + lines.length);
      Bun.gc(true);
    },
    async run(seconds) {
      const sample = await closedLoop(lines, requests, seconds);
      perSecond = sample.requests / sample.seconds;
      return sample;
    },
    end() {
      for (const line of lines) line.close();
    },
  };
}
