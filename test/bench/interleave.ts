/** Measures the sides in alternation, A B B A …, so that other load on the machine affects all of them equally. */
import type { Sample } from './closed-loop.ts';
import { type CpuSeconds, cpuBetween } from './cpu.ts';
import type { Side } from './side.ts';

export interface Round extends Sample {
  cpu: CpuSeconds;
}

export interface Measured {
  side: string;
  rounds: Round[];
}

export interface Schedule {
  clients: number;
  /** Per side and round. */
  seconds: number;
  rounds: number;
}

const WARM_UP_SECONDS = 0.5;

export async function interleave(
  sides: readonly Side[],
  { clients, seconds, rounds }: Schedule,
  cpu: () => CpuSeconds,
): Promise<Measured[]> {
  const measured = sides.map(({ name }): Measured => ({ side: name, rounds: [] }));
  try {
    for (const side of sides) await side.begin(clients);
    // New processes and connections are slower.
    for (const side of sides) {
      side.load(WARM_UP_SECONDS);
      await side.run(WARM_UP_SECONDS);
    }
    for (let round = 0; round < rounds; round++) {
      const order = [...sides.entries()];
      for (const [index, side] of round % 2 === 0 ? order : order.reverse()) {
        side.load(seconds);
        const before = cpu();
        const sample = await side.run(seconds);
        measured[index]?.rounds.push({ ...sample, cpu: cpuBetween(before, cpu()) });
      }
    }
  } finally {
    for (const side of sides) side.end();
  }
  return measured;
}
