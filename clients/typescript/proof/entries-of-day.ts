/**
 * Rows that make no entry, beside entries that no row makes. An equal day and description show that the row, the rules or the books have
 * changed since the push.
 */

import { sameDescription } from '../books/same-description.ts';
import { rowOfPart } from '../books/stored-rows.ts';
import { groupBy } from '../group-by.ts';
import type { Transaction } from '../resources.ts';
import type { ProvenRow, RowOutcome } from './rows.ts';

/** A stored entry, with the id of its source. */
export type EntryOfSource = Transaction & { sourceId: string };

/** What a person can do about such a row. */
export const HOW_TO_MEND =
  'If the row was changed after the push, take the file from the bank again. If the entry is of another file, name that file too. If a rule is wrong, correct it.';

/**
 * The rows of each file. One that is left out or skipped fails if one of `entries` has its day and its description, whatever the amount,
 * type and source. Each entry fails one row, and the parts of a split row fail one together: of several rows, the one with the nearest amount.
 * A row with the amount of the entry that a person has left out is that entry, under another reference.
 * @param entries those that no row makes, in an order that is the same each time
 */
export function withEntriesOfDay(
  files: readonly (readonly ProvenRow[])[],
  entries: readonly EntryOfSource[],
): ProvenRow[][] {
  const open = files.flat().filter(({ outcome }) => MAKES_NO_ENTRY.includes(outcome));
  const openByText = groupBy(open, textOf);
  const changed = new Map<ProvenRow, ProvenRow>();
  const rowOf = ({ externalRef, id }: EntryOfSource) => (externalRef === null ? id : rowOfPart(externalRef));
  for (const parts of groupBy(entries, rowOf).values()) {
    const [first] = parts as [EntryOfSource];
    const pence = parts.reduce((sum, part) => sum + signed(part), 0);
    const away = (row: ProvenRow) => Math.abs((row.pence ?? 0) - pence);
    const rows = openByText.get(textOf(first)) ?? [];
    const [nearest] = rows.toSorted((one, two) => away(one) - away(two));
    // No description is equal to no other.
    if (!nearest || !first.description) continue;
    rows.splice(rows.indexOf(nearest), 1);
    const isKnown = nearest.outcome === 'left out by hand' && away(nearest) === 0;
    changed.set(nearest, (isKnown ? knownRow : failedRow)(nearest, parts));
  }
  return files.map((rows) => rows.map((row) => changed.get(row) ?? row));
}

const MAKES_NO_ENTRY: readonly RowOutcome[] = ['left out', 'left out by hand', 'skipped'];

const textOf = ({ date, description }: { date?: string; description?: string | null }) =>
  `${date} ${sameDescription(description ?? '')}`;

const signed = ({ type, amountPence }: EntryOfSource) => (type === 'income' ? amountPence : -amountPence);

function knownRow(row: ProvenRow, entries: readonly EntryOfSource[]): ProvenRow {
  return { ...row, outcome: 'probably known', entriesOfDay: entries.map(({ id }) => id) };
}

function failedRow(row: ProvenRow, entries: readonly EntryOfSource[]): ProvenRow {
  const outcome = row.outcome === 'skipped' ? 'skipped' : 'left out';
  const ids = entries.map(({ id }) => id);
  return {
    ...row,
    outcome: `${outcome}, and an entry of the day has its description`,
    reasons: [...(row.reasons ?? []), `No row makes the entry ${ids.join(', ')}.`, HOW_TO_MEND],
    entriesOfDay: ids,
  };
}
