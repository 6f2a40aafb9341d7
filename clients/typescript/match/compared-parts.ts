/** A row compared with the stored entries that it is or may be: part by part. */

import { dayAfter } from '../days.ts';
import { asSplit, storedElsewhere } from './by-reference.ts';
import { type ComparedPart, type DifferingField, differences, type ProbableEntry } from './compared-entry.ts';
import type { StoredRow } from './origin.ts';
import { type Row, signedSum } from './row.ts';
import type { StoredEntry } from './stored-books.ts';

/**
 * The parts of a row that is these entries, under another reference. The bank may change dates and descriptions, which only counts if a
 * figure changes with the date. All other differences have to be corrected in the app.
 * @param isCertain the reference proves it; otherwise a person has said so
 */
export function asStored(row: Row, storedRow: StoredRow, isCertain: boolean): ComparedPart[] {
  const { parts } = row;
  const own = parts.map(({ entry }, index): ComparedPart => {
    const found = storedRow[index];
    return { matchStatus: found ? 'conflict' : 'new', toSend: entry, ...(found && { stored: found.stored }) };
  });
  if (parts.length !== storedRow.length) return asSplit(parts, own, storedRow, storedRow[0]);
  return parts.map((read, index): ComparedPart => {
    const toSend = read.entry;
    const found = storedRow[index] as StoredEntry;
    const all = differences(read, found.stored);
    const isDated = !isSameQuarter(toSend.date, found.stored.date);
    const fields = all.filter(
      (field) => isCertain || (field !== 'description' && (field !== 'date' || isDated)),
    );
    if (!row.sourceIds.includes(found.source.id))
      return { matchStatus: 'elsewhere', toSend, ...storedElsewhere(found), fields };
    if (fields.length > 0) return { matchStatus: 'conflict', toSend, stored: found.stored, fields };
    if (isCertain) return { matchStatus: 'known', toSend, stored: found.stored };
    const probably = { ...found, isEarlierVersion: false, isElsewhere: false, fields: all };
    return { matchStatus: 'joined', toSend, probably };
  });
}

/** The parts of a row with the record that it may be. */
export function asQuestion(
  row: Row,
  parts: readonly ComparedPart[],
  storedRow: StoredRow,
  more: Pick<ProbableEntry, 'other'> | undefined,
): ComparedPart[] {
  const isSamePence = row.amounts.includes(signedSum(storedRow.map(({ stored }) => stored)));
  const isEqualSplit = storedRow.length === parts.length;
  return parts.map(({ toSend }, index): ComparedPart => {
    const read = row.parts[index] as Row['parts'][number];
    const found = storedRow[index] ?? storedRow[0];
    const isElsewhere = !row.sourceIds.includes(found.source.id);
    const fields: readonly DifferingField[] = isEqualSplit ? differences(read, found.stored) : ['split'];
    const probably: ProbableEntry = { ...found, isEarlierVersion: !isSamePence, isElsewhere, fields };
    const surplus = !isEqualSplit && { surplus: storedRow };
    return { matchStatus: 'probable', toSend, probably: { ...probably, ...more }, ...surplus };
  });
}

/** Whether two days are in one quarter, of those from 6 April and of those from 1 April. */
export function isSameQuarter(one: string, other: string): boolean {
  const quarterOf = (day: string) => `${day.slice(0, 4)} ${Math.floor((Number(day.slice(5, 7)) - 1) / 3)}`;
  return (
    quarterOf(one) === quarterOf(other) && quarterOf(dayAfter(one, -5)) === quarterOf(dayAfter(other, -5))
  );
}
