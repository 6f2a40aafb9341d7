/** The references of the rows of a file: each names one payment, and each entry has one of its own. */

import type { ImportOptions } from '../options.ts';
import type { ParsedRow } from '../rows/parsed-row.ts';
import { equalInAnother, equalReference, repeatedReference } from './reference-problems.ts';
import type { RowEntries, RowResult } from './row-result.ts';
import { isOfBank } from './shared-references.ts';

/** The first row with a reference, to which later rows are compared. */
interface Claim {
  row: number;
  statement: ParsedRow['statement'];
  content: string;
  isLeftOut: boolean;
}

const isDerived = ({ reference, id }: ParsedRow) => reference === undefined && id === undefined;

/** Returns a function that claims the reference of a row. A row with a reference of an earlier row is the same payment, or has a problem. */
export function referenceClaims({ repeated }: ImportOptions) {
  const claims = new Map<string, Claim>();
  const firstOfEqual = new Map<string, Pick<ParsedRow, 'row' | 'statement'>>();
  return (parsed: ParsedRow, result: RowEntries, reference: string, isLeftOut: boolean): RowResult => {
    const { content } = result;
    if (isDerived(parsed) && repeated === undefined) {
      const key = JSON.stringify([parsed.account, content]);
      const first = firstOfEqual.get(key) ?? parsed;
      firstOfEqual.set(key, first);
      if (first.statement !== parsed.statement) return { problems: [equalInAnother(reference, first.row)] };
    }
    const earlier = claims.get(reference);
    if (!earlier || (earlier.isLeftOut && earlier.content !== content)) {
      claims.set(reference, { row: parsed.row, content, isLeftOut, statement: parsed.statement });
      return result;
    }
    if (earlier.content !== content) return { problems: [repeatedReference(parsed, reference, earlier.row)] };
    // The external reference of an entry names it, and so does the reference of a payment in two statements. A bank's id may be made
    // of date and amount.
    const isSame =
      repeated === 'same' ||
      (repeated === undefined &&
        (!isOfBank(parsed.referenceColumn) ||
          (parsed.reference === undefined && parsed.id !== undefined) ||
          earlier.statement !== parsed.statement));
    return isSame
      ? { skipped: `It repeats row ${earlier.row}, with the same reference.` }
      : { problems: [equalReference(parsed, reference, earlier.row)] };
  };
}

/** Returns a function that gives entries their references. The reference of a part may collide with a reference of the file. */
export function entryReferences() {
  const rowsByReference = new Map<string, number>();
  return (parsed: ParsedRow, result: RowEntries, reference: string): RowResult => {
    const { entries } = result;
    for (const [index, { entry, part }] of entries.entries()) {
      // The first part has the reference of the row, so that the service never stores a row both whole and in parts. With a reference
      // of the file, only its number shows suggestions that a part is not a whole row.
      const isFirst = index === 0 && (isDerived(parsed) || entries.length > 1);
      entry.externalRef = part === undefined || isFirst ? reference : `${reference}#${part}`;
      const row = rowsByReference.get(entry.externalRef);
      if (row !== undefined) return { problems: [repeatedReference(parsed, entry.externalRef, row)] };
    }
    for (const { entry } of entries) rowsByReference.set(entry.externalRef ?? '', parsed.row);
    return result;
  };
}
