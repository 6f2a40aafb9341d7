/** Compares descriptions of entries that may be versions of one row. */
import { withoutConversion } from '../import/values/conversion.ts';

/**
 * The description without case, spaces, dashes and the rate of its amount. An earlier version of the reader put dashes into words, and a
 * person may correct an amount or a rate.
 */
export const sameDescription = (description: string): string =>
  withoutConversion(description)
    .toLowerCase()
    .replace(/[\s-]+/g, '');
