/** Rows that a word or a mark leaves out, although a figure says that they moved money: the balance moves at them, or a row takes them back. */
import { groupBy } from '../../group-by.ts';
import { signedPence } from '../../pounds.ts';
import type { Meaning } from '../questions-and-answers.ts';
import { isValidRow, type ParsedRow } from '../rows/parsed-row.ts';

/**
 * Makes each such row invalid that nobody has answered for.
 * @param answers by the number of the row
 * @param isOfBank a bank does not list a payment that failed beside another one that takes it back
 * @param isWhole no column is left out, so that a row without an amount has none
 */
export function markSkipped(
  parsedRows: readonly ParsedRow[],
  answers: Readonly<Record<number, Meaning>> = {},
  isOfBank: boolean,
  isWhole: boolean,
): void {
  for (const all of groupBy(parsedRows, ({ account }) => account).values()) {
    const rows = all.filter(({ pence, balance }) => (pence ?? balance) !== undefined);
    const isTakenBack = isOfBank ? () => false : moreAreOpposite(rows);
    for (const [at, parsed] of rows.entries()) {
      const { row, skipReason, isSkippedByAnswer, named, pence, description, problems } = parsed;
      if (skipReason === undefined || isSkippedByAnswer || named || answers[row] !== undefined) continue;
      if (pence === undefined && !isWhole) continue;
      if (!isMovedAt(rows, at, 1) && !isMovedAt(rows, at, -1) && !isTakenBack(parsed)) continue;
      const message = `${skipReason} But the balance or another row counts it: no payment, or one?`;
      problems.push({ field: 'amount', column: '', value: description, message, option: 'rowMeanings' });
      delete parsed.skipReason;
    }
  }
}

/** Whether the balance changes at the row, and the payment after it goes on from there. @param step to the row after it */
function isMovedAt(rows: readonly ParsedRow[], at: number, step: number): boolean {
  const [before, parsed, after] = [-step, 0, step].map((by) => rows[at + by]);
  // The balance of a card is a debt. Without a balance the change is no number.
  const change = (from?: ParsedRow, to?: ParsedRow) => Math.abs(Number(to?.balance) - Number(from?.balance));
  if (!after || !isValidRow(after) || change(parsed, after) !== after.pence) return false;
  return change(before, parsed) > 0;
}

/** Whether more payments are opposite to the row than equal to it. */
function moreAreOpposite(rows: readonly ParsedRow[]): (parsed: ParsedRow) => boolean {
  const payments = groupBy(rows.filter(isValidRow), signedPence);
  const count = (pence: number) => payments.get(pence)?.length ?? 0;
  return (parsed) => count(-signedPence(parsed)) > count(signedPence(parsed));
}
