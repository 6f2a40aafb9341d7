/** Omitted rows: the file has them, and they make no entry. If the books have one that resembles them, the row, the rules or the books have changed since the push. */

import { daysBetween } from '../days.ts';
import { omittedRows } from '../import/entries/omitted-rows.ts';
import type { ImportResult } from '../import/result.ts';
import { type Decisions, pairKey } from '../match/decision.ts';
import { descriptionKey, isNear, type PaymentFacts, signed } from '../match/payment-facts.ts';
import type { FileResult, RowPosition } from '../match/row.ts';
import { type StoredRow, storedFacts } from '../match/stored-row.ts';

/** An omitted row, with the entries that resemble it. */
export interface OmittedBesideEntry {
  row: OmittedPayment;
  storedRow: StoredRow;
}

/** A row that makes no entry, with the facts of its payment. */
export interface OmittedPayment extends RowPosition, PaymentFacts {
  /** A rule, a person, or the content leaves it out. */
  by: 'rule' | 'hand' | 'content';
  reference: string;
}

/** The unmatched entries that resemble omitted rows. Each row has one at most. */
export function omittedBesideEntries(
  omitted: readonly OmittedPayment[],
  unmatched: readonly StoredRow[],
  decisions: Decisions,
): OmittedBesideEntry[] {
  const rows = omitted.filter(({ text }) => text !== '');
  const used = new Set<OmittedPayment>();
  return unmatched.flatMap((storedRow): OmittedBesideEntry[] => {
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
  const contentOfRow = rowContents(result);
  const whole = new Map(
    result.leftOut.flatMap((each) => (each.part === undefined ? [[each.row, each]] : [])),
  );
  return omittedRows(result).flatMap(({ row, rule, isByHand }): OmittedPayment[] => {
    const leftOut = whole.get(row);
    const content = leftOut ? { ...leftOut, pence: signed(leftOut) } : contentOfRow(row);
    const { date, description = '', pence = 0 } = content;
    const by = isByHand ? 'hand' : leftOut && rule !== undefined ? 'rule' : 'content';
    const { rowReference: reference = '' } = leftOut ?? {};
    return date === undefined
      ? []
      : [{ file, row, date, pence, text: descriptionKey(description), by, reference }];
  });
}

/** Finds the date, the amount and the description of a row by its number. A row without an entry has its texts. */
export function rowContents({ statements, entries, leftOut, rowsWithoutEntry }: ImportResult) {
  const texts = new Map(
    rowsWithoutEntry.map(({ row, day, description }) => [
      row,
      { ...(day !== undefined && { date: day }), description },
    ]),
  );
  const all = statements.flatMap(({ rows }) => rows);
  const payments = new Map(all.map(({ row, balance: _, ...payment }) => [row, payment]));
  const described = [...entries.map(({ row, entry }) => ({ row, ...entry })), ...leftOut];
  const descriptions = new Map(described.map(({ row, description = '' }) => [row, { description }]));
  return (row: number) => ({ ...texts.get(row), ...payments.get(row), ...descriptions.get(row) });
}
