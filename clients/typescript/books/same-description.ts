/** Descriptions beside each other, where an entry may be another version of a row. */

/** The description without case, spaces and dashes: an earlier version of the reader put a dash into some words. */
export const sameDescription = (description: string): string =>
  description.toLowerCase().replace(/[\s-]+/g, '');
