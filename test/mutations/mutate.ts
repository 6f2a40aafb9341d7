/** A text in the place of another, which must be there exactly once: a mutation that no longer applies proves nothing. */

export interface Change {
  file: string;
  find: string;
  replace: string;
}

/** @throws Error that names the file when `find` is not there, or more than once */
export function mutate(original: string, { file, find, replace }: Change): string {
  const [before, after, ...more] = original.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`${file} has to contain exactly once: ${find}`);
  }
  return before + replace + after;
}
