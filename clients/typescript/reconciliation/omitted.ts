/** Omitted rows: the file has them, and they make no entry. If the books have one that resembles them, the row, the rules or the books have changed since the push. */

import { daysBetween } from '../days.ts';
import { omittedRows } from '../import/entries/omitted-rows.ts';
import { readDate } from '../import/values/dates.ts';
import { type Decisions, pairKey } from '../match/decision.ts';
import { descriptionKey, isNear, type PaymentFacts, signed } from '../match/payment-facts.ts';
import type { FileResult, RowPosition } from '../match/row.ts';
import { type StoredRow, storedFacts } from '../match/stored-row.ts';

/** An omitted row, with the entries that resemble it. */
export interface OmittedMatch {
  row: OmittedPayment;
  storedRow: StoredRow;
}

export interface OmittedPayment extends RowPosition, PaymentFacts {
  /** A rule, a person, or the content leaves it out. */
  by: 'rule' | 'hand' | 'content';
  reference: string;
}

/** The unmatched entries that resemble omitted rows. Each row has one at most. */
export function omittedMatches(
  omitted: readonly OmittedPayment[],
  unmatched: readonly StoredRow[],
  decisions: Decisions,
): OmittedMatch[] {
  const rows = omitted.filter(({ text }) => text !== '');
  const used = new Set<OmittedPayment>();
  return unmatched.flatMap((storedRow): OmittedMatch[] => {
    const { date, pence, text } = storedFacts(storedRow);
    const isLike = (row: OmittedPayment) =>
      row.text === text &&
      (row.date === date || (row.by === 'rule' && isNear(row, { date, pence, text }))) &&
      decisions.get(pairKey(row, storedRow[0].stored.id)) !== 'separate';
    const away = (row: OmittedPayment) => daysBetween(row.date, date) || Math.abs(row.pence - pence) / 1e9;
    const [nearest] = rows
      .filter((row) => !used.has(row) && isLike(row))
      .sort((one, two) => away(one) - away(two));
    if (!nearest) return [];
    used.add(nearest);
    return [{ row: nearest, storedRow }];
  });
}

/** The rows of a file that are left out or skipped, and that have a date. */
export function omittedPayments({ name: file, result }: FileResult): OmittedPayment[] {
  const { leftOut, unread, statements, entries, recognised } = result;
  const withEntries = new Set(entries.map(({ row }) => row));
  const left = leftOut
    .filter(({ row, part }) => part === undefined && !withEntries.has(row))
    .map(({ row, rule, date, description, rowReference: reference = '', ...amount }): OmittedPayment => {
      const by = rule === undefined ? 'hand' : 'rule';
      return { file, row, date, pence: signed(amount), text: descriptionKey(description), by, reference };
    });
  const leftOutRows = new Set(left.map(({ row }) => row));
  const payments = new Map(statements.flatMap(({ rows }) => rows.map((row) => [row.row, row] as const)));
  const texts = new Map(unread.map((ofRow) => [ofRow.row, ofRow]));
  const others = omittedRows(result).flatMap(({ row, isByHand }): OmittedPayment[] => {
    const { date: text = '', description = '' } = texts.get(row) ?? {};
    const { date = readDate(text, recognised.dateFormat ?? 'dmy'), pence = 0 } = payments.get(row) ?? {};
    if (leftOutRows.has(row) || date === undefined) return [];
    const by = isByHand ? 'hand' : 'content';
    return [{ file, row, date, pence, text: descriptionKey(description), by, reference: '' }];
  });
  return [...left, ...others];
}
