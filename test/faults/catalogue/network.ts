/** Network faults: every kind of link in every mode of the proxy. */
import type { Cluster } from '../cluster.ts';
import { type Fault, UNAVAILABLE } from '../fault.ts';
import { type Mode, PASS } from '../proxy.ts';
import type { Random } from '../random.ts';

type LinkName = keyof Cluster['links'];

const LINKS: Record<LinkName, string> = {
  worker: 'gateways to workers',
  postgres: 'workers to postgres',
  redis: 'gateways to redis',
};

const MODES: Record<string, (random: Random) => Mode> = {
  cut: () => ({ kind: 'cut' }),
  reset: () => ({ kind: 'reset' }),
  'black hole': () => ({ kind: 'blackhole' }),
  slow: (random) => ({ kind: 'slow', delayMs: random.int(20, 60) }),
  sliced: (random) => ({ kind: 'sliced', bytesMax: random.int(50, 1_000), random }),
};

export const NETWORK: Fault[] = (Object.keys(LINKS) as LinkName[]).flatMap((link) =>
  Object.entries(MODES).map(
    ([name, mode]): Fault => ({
      name: `${LINKS[link]}: ${name}`,
      // A slow link still delivers, and without Redis a gateway uses the limits in its own memory.
      failures: link === 'redis' || name === 'slow' || name === 'sliced' ? [] : UNAVAILABLE,
      async inject({ cluster, random, note }) {
        // Both links, or one of them.
        const proxies = random.chance(0.5) ? cluster.links[link] : [random.pick(cluster.links[link])];
        note(`${LINKS[link]}: ${proxies.length} of ${cluster.links[link].length} ${name}`);
        await Promise.all(proxies.map((proxy) => proxy.set(mode(random))));
        return async () => {
          await Promise.all(proxies.map((proxy) => proxy.set(PASS)));
        };
      },
    }),
  ),
);
