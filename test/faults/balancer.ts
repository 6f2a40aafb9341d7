/**
 * What stands in front of the gateways: it asks each whether it is ready, and shares the requests among
 * those that are.
 */
import type { Gateway } from '../../local/servers/gateway.ts';
import type { Part } from './part.ts';

const ASK_EVERY_MS = 100;
const ANSWER_MS_MAX = 1_000;

/** Gateways in the order in which a request tries them. */
export type Route = () => Part<Gateway>[];

export interface Balancer {
  /** To each in turn. */
  route: Route;
  /** Two routes that begin at different gateways, while there are two. */
  apart: [Route, Route];
  close(): void;
}

export function startBalancer(gateways: Part<Gateway>[]): Balancer {
  const unready = new Set<Part<Gateway>>();
  let turn = 0;
  let open = true;

  const follow = async (gateway: Part<Gateway>) => {
    for (; open; await Bun.sleep(ASK_EVERY_MS)) {
      if (await isReady(gateway)) unready.delete(gateway);
      else unready.add(gateway);
    }
  };
  for (const gateway of gateways) follow(gateway);

  // One that is not ready is a last resort.
  const startingAt = (first: number) => {
    const turned = gateways.map((_, n) => gateways[(first + n) % gateways.length] as Part<Gateway>);
    return [...turned.filter((each) => !unready.has(each)), ...turned.filter((each) => unready.has(each))];
  };
  return {
    route: () => startingAt(turn++),
    apart: [() => startingAt(0), () => startingAt(1)],
    close() {
      open = false;
    },
  };
}

async function isReady(gateway: Part<Gateway>): Promise<boolean> {
  try {
    return (await ask(gateway)).ok;
  } catch {
    return false;
  }
}

/** The answer of /readyz. */
export function ask(gateway: Part<Gateway>): Promise<Response> {
  return fetch(`${gateway.current.url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
}
