/** Descriptions beside each other, where an entry may be another version of a row. */
import { withoutConversion } from '../import/values/conversion.ts';

/**
 * The description without case, spaces, dashes and the rate of its amount: an earlier version of the reader put a dash into some words, and
 * a person may correct an amount or a rate.
 */
export const sameDescription = (description: string): string =>
  withoutConversion(description)
    .toLowerCase()
    .replace(/[\s-]+/g, '');
