/** Corrections: the values of a person in place of the values in the file. */

import { cellValue, firstCodePoints } from '../files/cells.ts';
import { DESCRIPTION_LENGTH_MAX, type ImportOptions } from '../options.ts';
import type { CorrectedField, RowCorrection } from '../questions-and-answers.ts';
import type { FileNotation, ParsedFile, ParsedRow } from '../rows/parsed-row.ts';
import { readAmount } from '../values/amounts.ts';
import { readDate } from '../values/dates.ts';
import { directionOf } from '../values/direction.ts';

export function correctionsByRow({ corrections }: ImportOptions): (row: number) => RowCorrection | undefined {
  if (corrections === undefined) return () => undefined;
  if (isMap(corrections)) return (row) => corrections.get(row);
  return (row) => (Object.hasOwn(corrections, row) ? corrections[row] : undefined);
}

export const hasCorrections = ({ corrections = {} }: ImportOptions): boolean =>
  (isMap(corrections) ? corrections.size : Object.keys(corrections).length) > 0;

function isMap(corrections: object): corrections is ReadonlyMap<number, RowCorrection> {
  return corrections instanceof Map;
}

/** Applies the correction to the row. Other fields keep the values of the file. */
export function correctedRow(
  parsed: ParsedRow,
  correction: RowCorrection,
  notation: FileNotation,
  columnNames: ParsedFile['columnNames'],
): ParsedRow {
  // A skipped row becomes an entry only if a person gives its amount.
  if (parsed.skipReason !== undefined && correction.amount === undefined) return parsed;
  const isRetyped = correction.date !== undefined && correction.amount !== undefined;
  const { skipReason: _, ...rest } = parsed;
  const result: ParsedRow = {
    ...rest,
    problems: parsed.problems.filter(({ field }) =>
      field === undefined ? !isRetyped : field === 'reference' || correction[field] === undefined,
    ),
    texts: () => ({ ...parsed.texts(), ...textsOf(correction) }),
  };
  const addProblem: AddProblem = (field, message) => {
    const value = correction[field] ?? '';
    result.problems.push({ field, column: columnNames[field] ?? field, value, message });
  };
  if (parsed.amounts) result.amounts = parsed.amounts.map((each) => ({ ...each }));
  if (correction.date !== undefined) correctDate(result, cellValue(correction.date), notation, addProblem);
  if (parsed.hasSeveralAmounts) requireSingleAmount(correction, addProblem);
  else correctAmount(result, correction, notation, addProblem);
  if (correction.description !== undefined) correctDescription(result, correction.description, addProblem);
  if (correction.category !== undefined && !parsed.hasSeveralAmounts)
    result.category = plainText(correction.category);
  if (correction.source !== undefined) result.source = plainText(correction.source);
  const isOpen = (field: CorrectedField) => !result.problems.some((problem) => problem.field === field);
  const hasField = result.problems.every(({ field }) => field !== undefined);
  if (hasField && result.date === undefined && isOpen('date')) addProblem('date', 'The date is missing.');
  if (hasField && result.pence === undefined && isOpen('amount'))
    addProblem('amount', 'The amount is missing.');
  if (hasField && result.pence !== undefined && result.type === undefined && isOpen('type')) {
    addProblem('type', 'The type is missing: income or expense.');
  }
  return result;
}

type AddProblem = (field: CorrectedField, message: string) => void;

function correctDate(result: ParsedRow, text: string, notation: FileNotation, addProblem: AddProblem): void {
  result.date = readDate(text, notation);
  if (result.date !== undefined) return;
  const orders = { dmy: '31/12/2026', mdy: '12/31/2026', ymd: '26/12/31' };
  const message = `This is not a date; examples are 2026-12-31 and ${orders[notation.order]}.`;
  addProblem('date', text === '' ? 'The date is missing.' : message);
}

/** The type of the correction, else expense for an amount with a minus, else the type of the row. */
function correctAmount(
  result: ParsedRow,
  { amount, type }: RowCorrection,
  { decimal }: FileNotation,
  addProblem: AddProblem,
): void {
  let isNegative = false;
  if (amount !== undefined) {
    result.pence = undefined;
    // A person gives pounds.
    delete result.currency;
    // A person may write pounds with a point in any file.
    const mark = /\.\d\d?\D*$/.test(amount) ? '.' : decimal;
    const read = readAmount(amount, mark);
    if ('problem' in read) addProblem('amount', read.problem);
    else if (read.pence === 0) addProblem('amount', 'The amount is 0.00; leave the row out.');
    else {
      result.pence = Math.abs(read.pence);
      isNegative = read.pence < 0;
    }
  }
  if (type === undefined) {
    if (isNegative) result.type = 'expense';
    return;
  }
  result.type = directionOf(type);
  if (result.type === undefined) {
    addProblem('type', 'The type is neither income nor expense, nor a word for one of them.');
  } else if (result.type === 'income' && isNegative) {
    addProblem('type', 'The type is income and the amount is negative.');
  }
}

/** A correction has one amount and one category, and names none of several amounts. */
function requireSingleAmount(correction: RowCorrection, addProblem: AddProblem): void {
  const message = 'The row has several amounts: correct them in the file, or choose what their columns hold.';
  for (const field of ['amount', 'type', 'category'] as const)
    if (correction[field] !== undefined) addProblem(field, message);
}

function correctDescription(result: ParsedRow, text: string, addProblem: AddProblem): void {
  result.description = plainText(text);
  result.earlier = undefined;
  if (firstCodePoints(result.description, DESCRIPTION_LENGTH_MAX) !== result.description) {
    addProblem('description', `The description is longer than ${DESCRIPTION_LENGTH_MAX} characters.`);
  }
}

/** Removes characters that the API refuses: control characters and unpaired surrogates. */
function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

function textsOf({ isLeftOut: _, ...texts }: RowCorrection): Partial<Record<CorrectedField, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
}
