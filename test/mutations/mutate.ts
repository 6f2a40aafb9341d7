/** Texts in the place of others, which must be there exactly once: a mutation that no longer applies proves nothing. */

export interface Change {
  file: string;
  edits: [find: string, replace: string][];
}

/** @throws Error that names the file when a text to find is not there, or more than once */
export function mutate(original: string, { file, edits }: Change): string {
  return edits.reduce((text, [find, replace]) => {
    const [before, after, ...more] = text.split(find);
    if (before === undefined || after === undefined || more.length > 0) {
      throw new Error(`${file} has to contain exactly once: ${find}`);
    }
    return before + replace + after;
  }, original);
}
