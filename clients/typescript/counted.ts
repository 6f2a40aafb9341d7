/**
 * A number with its noun: `1 entry`, `2 entries`.
 * @param many the plural: by default the noun with an s
 * @param textOf writes the number
 */
export const counted = (
  count: number,
  one: string,
  many = `${one}s`,
  textOf: (count: number) => string = String,
): string => `${textOf(count)} ${count === 1 ? one : many}`;
