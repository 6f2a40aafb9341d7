/** The references of the rows of one file. */

import { type ImportOptions, REFERENCE_LENGTH_MAX } from '../options.ts';
import type { ParsedRow, ValidRow } from '../rows/parsed-row.ts';
import { fittingReference, referenceDeriver } from '../values/derived-reference.ts';

export interface RowReferences {
  rowReference: string;
  /** The reference by an earlier version of the reader. */
  earlierReference?: string;
}

/** The reference that the file gives a row. A stored entry without one is named by its id. */
export const referenceInFile = ({ reference, id }: ParsedRow): string | undefined =>
  reference ?? (id === undefined ? undefined : `ledger-${id.slice(0, 64)}`);

/** Returns the references of a row. Counts equal rows, so call it once for each row. */
export function rowReferences(
  { repeated, accountLabel }: ImportOptions,
  known: Map<string, string>,
): (parsed: ValidRow) => RowReferences {
  const inOneFile = referenceDeriver(known);
  const inStatement = new Map<ParsedRow['statement'], typeof inOneFile>();
  /** Equal rows of one statement are several payments. With `repeated: 'same'`, equal rows in two statements of the account are one payment. */
  const deriverOf = ({ statement }: ParsedRow) => {
    if (repeated !== 'same') return inOneFile;
    const derive = inStatement.get(statement) ?? referenceDeriver(known);
    inStatement.set(statement, derive);
    return derive;
  };
  const repeats = new Map<string, number>();
  /** With `repeated: 'another'`, a number distinguishes equal rows that share the bank's reference, as in derived references. */
  const numbered = (reference: string, { date, type, pence, currency, description }: ValidRow) => {
    const key = JSON.stringify([reference, date, type, pence, currency, description]);
    const number = (repeats.get(key) ?? 0) + 1;
    repeats.set(key, number);
    return number === 1 ? reference : fittingReference(`${reference}~${number}`, REFERENCE_LENGTH_MAX);
  };
  return (parsed) => {
    const { reference, date, type, pence, currency, description, earlier } = parsed;
    if (reference !== undefined && repeated === 'another')
      return { rowReference: numbered(reference, parsed) };
    const named = referenceInFile(parsed);
    if (named !== undefined) return { rowReference: named };
    const derive = deriverOf(parsed);
    const account = accountLabel ?? parsed.account;
    const derived = (text: string) => derive({ account, date, type, pence, currency, description: text });
    if (!earlier) return { rowReference: derived(description) };
    // The earlier version counts rows with a new text and rows without one together.
    const earlierReference = derived(earlier.description);
    const isSame = earlier.keepsReference || earlier.description === description;
    return isSame
      ? { rowReference: earlierReference }
      : { rowReference: derived(description), earlierReference };
  };
}
