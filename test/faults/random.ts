/** A seeded random number generator. */

export interface Random {
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** An independent generator, seeded with this one's seed and `name`. */
  fork(name: string): Random;
}

export function random(seed: number | string): Random {
  let state = Number(Bun.hash.xxHash32(String(seed)));
  // Mulberry32.
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  return {
    int,
    chance: (probability) => fraction() < probability,
    pick: <Item>(items: readonly Item[]) => items[int(0, items.length - 1)] as Item,
    fork: (name) => random(`${seed}/${name}`),
  };
}
