/** The preview of the books in `push`, after the comparison: entries of other sources, conflicts, left-out rows, and the entries to send. */

import { counted } from '../../typescript/counted.ts';
import { daysOf } from '../../typescript/days.ts';
import { totalsOf } from '../../typescript/export/totals.ts';
import { groupBy } from '../../typescript/group-by.ts';
import type { ImportEntry, NewTransaction } from '../../typescript/import/index.ts';
import type { Source, Transaction } from '../../typescript/index.ts';
import type { ComparedFiles, LeftOutAndStored, WrongSource } from '../../typescript/match/compare.ts';
import {
  type ComparedEntry,
  type DifferingField,
  entryElsewhere,
  FIELD_WORDS,
} from '../../typescript/match/compared-entry.ts';
import { type FileEntry, type FileResult, type RowPosition, rowName } from '../../typescript/match/row.ts';
import { pounds } from '../../typescript/pounds.ts';
import { leftOutTexts } from '../../typescript/push/rule-texts.ts';
import { type unlikelyOf, warningsOf } from '../../typescript/push/unlikely.ts';
import { excerpt, shortTable } from '../output.ts';

/** The lines of each source that has entries. */
export function differencesBySourceLines(
  { entries }: Pick<ComparedFiles, 'entries'>,
  source: Source | undefined,
): string[] {
  const groups = groupBy(entries, (each) => each.source?.name ?? source?.name ?? '');
  return [...groups].flatMap(([name, ofSource]) => conflictAndElsewhereLines(ofSource, name));
}

/** The known and the new entries of a source. */
function conflictAndElsewhereLines(entries: readonly ComparedEntry[], name: string): string[] {
  const conflicts = entries
    .filter((each) => each.matchStatus === 'conflict')
    .flatMap(({ row, entry, stored, fields }) =>
      fields.map((field) => ({
        row,
        field: FIELD_WORDS[field],
        file: shownValue(entry, field),
        books: shownValue(stored, field),
        id: stored.id,
      })),
    );
  const elsewhere = groupBy(entries, reasonElsewhere);
  const lines = REASONS_ELSEWHERE.flatMap(({ reason, text }) => {
    const inOthers = groupBy(elsewhere.get(reason) ?? [], (each) => entryElsewhere(each)?.source.name ?? '');
    return [...inOthers].map(([other, { length }]) => text(length, other, name));
  });
  if (conflicts.length > 0) {
    lines.push('These entries differ. The stored ones stand:');
    lines.push(...shortTable(conflicts));
  }
  return lines.length > 0 ? [...lines, ''] : [];
}

const inOther = (count: number, other: string) =>
  `${counted(count, 'entry is', 'entries are')} already in ${other}`;

/** Why another source has the entry, or an equal one. */
type ReasonElsewhere = 'equal' | 'same reference' | 'other rules';

function reasonElsewhere(entry: ComparedEntry): ReasonElsewhere | undefined {
  switch (entry.matchStatus) {
    case 'new':
      return entry.equalElsewhere && !entry.isSourceChosen ? 'equal' : undefined;
    case 'elsewhere':
      return entry.isSourceChosen ? 'other rules' : 'same reference';
    default:
      return undefined;
  }
}

/** The lines about such entries, in the order of the preview. */
const REASONS_ELSEWHERE: {
  reason: ReasonElsewhere;
  text: (count: number, other: string, name: string) => string;
}[] = [
  {
    reason: 'equal',
    text: (count, other, name) =>
      `${counted(count, 'row is equal to an entry', 'rows are equal to entries')} of ${other}, as the same rent of two properties is, and new in ${name}.`,
  },
  {
    reason: 'same reference',
    text: (count, other, name) =>
      `${inOther(count, other)}, with the reference of the file, and cannot be in ${name} too.`,
  },
  {
    reason: 'other rules',
    text: (count, other, name) =>
      `${inOther(count, other)}: the rules or the file now say ${name}, and nothing is moved.`,
  },
];

function shownValue(entry: NewTransaction | Transaction, field: DifferingField): string {
  const value = entry[field === 'split' ? 'amountPence' : field];
  return typeof value === 'number' ? pounds(value) : excerpt(value ?? '');
}

/** The entries to send to each source, unlikely ones among them, and a warning that entries are permanent. */
export function toSendLines(
  sending: readonly FileEntry[],
  files: readonly FileResult[],
  source: Source | undefined,
): string[] {
  if (sending.length === 0) return [];
  const groups = groupBy(sending, (each) => each.source?.name ?? source?.name ?? '');
  const warnings = warningsOf(sending, files).map(({ field, value, message, ...position }) => {
    return `Look at ${rowOfFiles(position, files)}, ${field} ${JSON.stringify(value)}: ${message}`;
  });
  return [
    ...[...groups].flatMap(([name, ofSource]) => sourceLines(ofSource, name)),
    ...warnings,
    'An entry cannot be changed or deleted through this service afterwards.',
    '',
  ];
}

const rowOfFiles = (position: RowPosition, files: readonly FileResult[]) =>
  files.length > 1 ? rowName(position) : `row ${position.row}`;

/** The lines about unlikely dates that end a push, with the option that confirms one. */
export function unlikelyLines(
  unlikely: ReturnType<typeof unlikelyOf>,
  files: readonly FileResult[],
): string[] {
  return [
    ...unlikely.map(({ message, ...position }) => `Look at ${rowOfFiles(position, files)}: ${message}`),
    `Nothing was sent. Correct the file, or say that a date is right: --allow-date ${unlikely[0]?.value}`,
  ];
}

function sourceLines(sending: readonly ImportEntry[], name: string): string[] {
  const entries = sending.map(({ entry }) => entry);
  const { income, expense } = totalsOf(entries);
  const { from, to } = daysOf(sending);
  const withoutCategory = entries.filter(({ category }) => category === undefined).length;
  const sums = [
    `income ${pounds(income.pence)} (${income.count})`,
    `expense ${pounds(expense.pence)} (${expense.count})`,
    `${withoutCategory} without a category`,
  ];
  return [
    `New in ${name}: ${counted(entries.length, 'entry', 'entries')} from ${from} to ${to}, ${sums.join(', ')}.`,
  ];
}

/** Stored payments that the rules, or a person, leave out now. */
export function leftOutLines(leftOut: readonly LeftOutAndStored[], rules = ''): string[] {
  if (leftOut.length === 0) return [];
  const storedOf = ({ storedEntries }: LeftOutAndStored) => storedEntries.map((each) => each.stored);
  return [
    `${counted(leftOut.length, 'row is', 'rows are')} left out, and in the books:`,
    ...leftOutTexts(leftOut, rules, storedOf, pounds).map((text) => `  ${text}`),
    'If that is right, the entries have to be removed in the app: `ledger reconcile --corrections` lists them.',
    '',
  ];
}

const CHANGED_SHOWN = 20;

/** Rows that were shown as new and no longer are. */
export function changedLines(
  changed: readonly FileEntry[],
  { files }: Pick<ComparedFiles, 'files'>,
): string[] {
  if (changed.length === 0) return [];
  const rows = [...new Set(changed.map((each) => rowOfFiles(each, files)))];
  const shown = rows.slice(0, CHANGED_SHOWN).join(', ');
  const more = rows.length > CHANGED_SHOWN ? `, and ${rows.length - CHANGED_SHOWN} more` : '';
  const were = counted(changed.length, 'entry was', 'entries were');
  return [
    `The books have changed since they were shown: ${were} not sent (${shown}${more}). Run the command again to decide about them.`,
  ];
}

/** The mistake, and the correct command. */
export function wrongSourceLines(
  { source: right, equal, entries }: WrongSource,
  source: Source | undefined,
): string[] {
  const name = source?.name ?? '';
  return [
    `${equal} of these ${entries} rows are already in ${right.name}. Nothing was sent.`,
    `If the file belongs to ${right.name}, use --source ${JSON.stringify(right.name)}.`,
    `If ${name} has equal payments of its own, add --another-source.`,
  ];
}
