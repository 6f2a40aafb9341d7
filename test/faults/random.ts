/** Random numbers from a seed (mulberry32), so that a run can be repeated. */

export interface Random {
  /** A whole number from `min` to `max`. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

export function random(seed: number | string): Random {
  let state = Bun.hash.xxHash32(String(seed)) | 0;
  function bits(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return mixed ^ (mixed >>> 14);
  }
  const share = () => (bits() >>> 0) / 2 ** 32;
  const int = (min: number, max: number) => min + Math.floor(share() * (max - min + 1));
  return {
    int,
    chance: (probability) => share() < probability,
    pick: (items) => items[int(0, items.length - 1)] as never,
  };
}
