/**
 * Compares rows that make no entry with entries that come from no row. An equal day and description show that the row, the rules or the
 * books have changed since the push.
 */

import { sameDescription } from '../books/same-description.ts';
import { rowOfPart } from '../books/stored-rows.ts';
import { groupBy } from '../group-by.ts';
import type { Transaction } from '../resources.ts';
import type { ReconciledRow, RowOutcome } from './rows.ts';

/** A stored entry, with the id of its source. */
export type EntryOfSource = Transaction & { sourceId: string };

/** Advice for such a row. */
export const HOW_TO_MEND =
  'If the row was changed after the push, take the file from the bank again. If the entry is of another file, name that file too. If a rule is wrong, correct it.';

/**
 * The rows of each file. A row that is left out or skipped fails if one of `entries` has its day and its description, with any amount, type
 * and source. Each entry fails one row, the one with the nearest amount; the parts of a split row together fail one row. A row that a person
 * has left out and that has the amount of the entry is that entry, under another reference.
 * @param entries that come from no row, in a fixed order
 */
export function withEntriesOfDay(
  files: readonly (readonly ReconciledRow[])[],
  entries: readonly EntryOfSource[],
): ReconciledRow[][] {
  const open = files.flat().filter(({ outcome }) => MAKES_NO_ENTRY.includes(outcome));
  const openByText = groupBy(open, textOf);
  const changed = new Map<ReconciledRow, ReconciledRow>();
  const rowOf = ({ externalRef, id }: EntryOfSource) => (externalRef === null ? id : rowOfPart(externalRef));
  for (const parts of groupBy(entries, rowOf).values()) {
    const [first] = parts as [EntryOfSource];
    const pence = parts.reduce((sum, part) => sum + signed(part), 0);
    const away = (row: ReconciledRow) => Math.abs((row.pence ?? 0) - pence);
    const rows = openByText.get(textOf(first)) ?? [];
    const [nearest] = rows.toSorted((one, two) => away(one) - away(two));
    // An absent description equals no other.
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

function knownRow(row: ReconciledRow, entries: readonly EntryOfSource[]): ReconciledRow {
  return { ...row, outcome: 'probably known', entriesOfDay: entries.map(({ id }) => id) };
}

function failedRow(row: ReconciledRow, entries: readonly EntryOfSource[]): ReconciledRow {
  const outcome = row.outcome === 'skipped' ? 'skipped' : 'left out';
  const ids = entries.map(({ id }) => id);
  return {
    ...row,
    outcome: `${outcome}, and an entry of the day has its description`,
    reasons: [...(row.reasons ?? []), `No row makes the entry ${ids.join(', ')}.`, HOW_TO_MEND],
    entriesOfDay: ids,
  };
}
