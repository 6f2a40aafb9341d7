/** The cells of a table of entries. The reader of statements recognises its columns, and reads the same entries. */

import { recordedOn } from '../days.ts';
import { plainPounds } from '../pounds.ts';
import type { Transaction } from '../resources.ts';

/** The header of an exported table. */
export const EXPORT_COLUMNS = [
  'date',
  'type',
  'category',
  'amount',
  'description',
  'externalRef',
  'id',
  'recordedOn',
] as const;

const FORMULA = /^'*[=+\-@\t\r\n]/;

/** Quotes text that a spreadsheet would execute as a formula. The reader removes the quote. */
export const withoutFormula = (text: string) => (FORMULA.test(text) ? `'${text}` : text);

/** The cells of an entry, in the order of EXPORT_COLUMNS. */
export function exportCells({
  date,
  type,
  category,
  amountPence,
  description,
  externalRef,
  id,
}: Transaction): string[] {
  const texts = [category, plainPounds(amountPence), description, externalRef].map((text) =>
    withoutFormula(text ?? ''),
  );
  return [date, type, ...texts, id, recordedOn(id) ?? ''];
}
