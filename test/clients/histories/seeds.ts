/** The seeds of a run. */

/** `7`, or `1..100`, both inclusive. @throws Error on another text */
export function seedsOf(range: string): number[] {
  const [, first, last = first] = /^(\d+)(?:\.\.(\d+))?$/.exec(range) ?? [];
  if (first === undefined) throw new Error(`${range} is no range of seeds such as 1..100`);
  const length = Number(last) - Number(first) + 1;
  return Array.from({ length }, (_, index) => Number(first) + index);
}
