/** Replaces texts that must occur exactly once, so that an outdated mutation is an error. */

export interface Change {
  file: string;
  edits: [find: string, replace: string][];
}

/** @throws Error with the file when a text to replace is missing or occurs more than once */
export function mutate(original: string, { file, edits }: Change): string {
  return edits.reduce((text, [find, replace]) => {
    const [before, after, ...more] = text.split(find);
    if (before === undefined || after === undefined || more.length > 0) {
      throw new Error(`${file} must contain exactly once: ${find}`);
    }
    return before + replace + after;
  }, original);
}
