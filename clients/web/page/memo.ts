/** Work that is done again only when its input has changed. */

/** Whether two lists have the same members. */
export const haveSameMembers = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((each, index) => each === other[index]);

/** Remembers the last result of a function. */
export function memo<Args extends readonly unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  let last: { args: Args; result: Result } | undefined;
  return (...args) => {
    if (!last || !haveSameMembers(args, last.args)) last = { args, result: work(...args) };
    return last.result;
  };
}
