/** Measures the sides in alternation, A B B A …, so that other load on the machine affects all of them equally. */
import type { Sample } from './closed-loop.ts';
import { type CpuSeconds, cpuBetween } from './cpu.ts';
import type { Side } from './side.ts';
import type { Stack } from './stack.ts';
import { warmUp } from './warm-up.ts';

export interface Round extends Sample {
  cpu: CpuSeconds;
  walBytes: number;
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
  { gauge }: Pick<Stack, 'gauge'>,
): Promise<Measured[]> {
  const measured = sides.map(({ name }): Measured => ({ side: name, rounds: [] }));
  try {
    for (const side of sides) await side.begin(clients);
    for (const side of sides) await warmUp(side, Math.min(seconds, WARM_UP_SECONDS));
    for (let round = 0; round < rounds; round++) {
      const order = [...sides.entries()];
      for (const [index, side] of round % 2 === 0 ? order : order.reverse()) {
        side.load(seconds);
        const before = await gauge();
        const sample = await side.run(seconds);
        const after = await gauge();
        const walBytes = after.walBytes - before.walBytes;
        measured[index]?.rounds.push({ ...sample, cpu: cpuBetween(before.cpu, after.cpu), walBytes });
      }
    }
  } finally {
    for (const side of sides) side.end();
  }
  return measured;
}
