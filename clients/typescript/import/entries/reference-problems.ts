/** Problems of the reference of a row. */

import { firstCodePoints } from '../files/cells.ts';
import { REFERENCE_LENGTH_MAX } from '../options.ts';
import type { ParsedRow, RowProblem } from '../rows/parsed-row.ts';
import { isOfBank } from './shared-references.ts';

export function repeatedReference(parsed: ParsedRow, value: string, row: number): RowProblem {
  const message = `Row ${row} has this reference with other content.`;
  return ofReference(parsed, value, message, isOfBank(parsed.referenceColumn));
}

export function equalReference(parsed: ParsedRow, value: string, row: number): RowProblem {
  const message = `Row ${row} is equal and has the same reference: say whether such rows are one payment, or several.`;
  return ofReference(parsed, value, message, true);
}

export function equalInAnother(value: string, row: number): RowProblem {
  const message = `Row ${row} of another statement of the account is equal, and neither has a reference: say whether such rows are one payment, or several.`;
  return ofReference({}, value, message, true);
}

/** @param mayRepeat whether the user can say that such rows are one payment, or several */
function ofReference(
  { referenceColumn: column = 'reference' }: Pick<ParsedRow, 'referenceColumn'>,
  value: string,
  message: string,
  mayRepeat = false,
): RowProblem {
  return { field: 'reference', column, value, message, ...(mayRepeat && { option: 'repeated' }) };
}

/** @param part the number of the last part, or 0 */
export function referenceProblem(parsed: ParsedRow, part: number): RowProblem | undefined {
  const { reference } = parsed;
  const lengthMax = REFERENCE_LENGTH_MAX - (part > 0 ? `#${part}`.length : 0);
  if (reference === undefined || firstCodePoints(reference, lengthMax) === reference) return undefined;
  const message = `The reference is longer than ${lengthMax} characters${part > 0 ? ', and the row is split' : ''}.`;
  return ofReference(parsed, reference, message);
}
