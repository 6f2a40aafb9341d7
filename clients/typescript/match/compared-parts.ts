/** The parts of a row, compared with the stored entries that they are or may be. */

import { isSameQuarter } from '../days.ts';
import type { ImportEntry } from '../import/result.ts';
import type { Transaction } from '../resources.ts';
import { type ComparedPart, type DifferingField, differences, type StoredPart } from './compared-entry.ts';
import { signedSum } from './payment-facts.ts';
import type { Row } from './row.ts';
import type { StoredEntry } from './stored-books.ts';
import type { StoredRow } from './stored-row.ts';

/** A part whose reference an entry of its source has. */
export function storedPart(part: ImportEntry, { stored }: StoredEntry, externalRef: string): StoredPart {
  const fields = differences(part, stored);
  const toSend = { ...part.entry, externalRef };
  if (fields.length > 0) return { matchStatus: 'conflict', toSend, stored, fields };
  // The service compares the description too.
  if (stored.description === null) delete toSend.description;
  else toSend.description = stored.description;
  return { matchStatus: 'known', toSend, stored };
}

/**
 * The parts of a row that is stored, and split in another way: none of them is sent.
 * @param ownEntries of each part, if it has one
 * @param firstEntry for parts without an entry of their own
 */
export const asSplit = (
  parts: readonly ImportEntry[],
  ownEntries: readonly (Transaction | undefined)[],
  surplus: readonly StoredEntry[],
  firstEntry: StoredEntry,
): ComparedPart[] =>
  parts.map(({ entry }, index) => ({
    matchStatus: 'conflict',
    toSend: entry,
    surplus,
    stored: ownEntries[index] ?? firstEntry.stored,
    fields: ['split'],
  }));

/**
 * The parts of a row that is these entries, under another reference. The bank may change dates and descriptions, which only counts if a
 * figure changes with the date. All other differences have to be corrected in the app.
 * @param isCertain the reference proves it; otherwise a person has said so
 */
export function asStored(row: Row, storedRow: StoredRow, isCertain: boolean): ComparedPart[] {
  const { parts } = row;
  if (parts.length !== storedRow.length) {
    const entries = storedRow.map(({ stored }) => stored);
    return asSplit(parts, entries, storedRow, storedRow[0]);
  }
  return parts.map((part, index): ComparedPart => {
    const toSend = part.entry;
    const storedEntry = storedRow[index] as StoredEntry;
    const { stored, source } = storedEntry;
    const differing = differences(part, stored);
    const isDated = !isSameQuarter(toSend.date, stored.date);
    const fields = differing.filter(
      (field) => isCertain || (field !== 'description' && (field !== 'date' || isDated)),
    );
    if (!row.sourceIds.includes(source.id))
      return { matchStatus: 'elsewhere', toSend, stored, storedIn: source, fields };
    if (fields.length > 0) return { matchStatus: 'conflict', toSend, stored, fields };
    if (isCertain) return { matchStatus: 'known', toSend, stored };
    const probably = { ...storedEntry, isEarlierVersion: false, isElsewhere: false, fields: differing };
    return { matchStatus: 'same', toSend, probably };
  });
}

/** The parts of a row with the record that it may be. @param other the row of another file, if the record is one */
export function asQuestion(
  row: Row,
  comparedParts: readonly ComparedPart[],
  storedRow: StoredRow,
  other: Row | undefined,
): ComparedPart[] {
  const isEarlierVersion = !row.amounts.includes(signedSum(storedRow.map(({ stored }) => stored)));
  const isEqualSplit = storedRow.length === comparedParts.length;
  return comparedParts.map(({ toSend }, index): ComparedPart => {
    const part = row.parts[index] as ImportEntry;
    const storedEntry = storedRow[index] ?? storedRow[0];
    const isElsewhere = !row.sourceIds.includes(storedEntry.source.id);
    const fields: readonly DifferingField[] = isEqualSplit
      ? differences(part, storedEntry.stored)
      : ['split'];
    const probably = { ...storedEntry, isEarlierVersion, isElsewhere, fields, ...(other && { other }) };
    return { matchStatus: 'probable', toSend, probably, ...(!isEqualSplit && { surplus: storedRow }) };
  });
}
