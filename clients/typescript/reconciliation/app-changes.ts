/** Entries that a person has to change in the app, because the API has no update and no delete: one line for each. */

import { csvOf } from '../export/csv.ts';
import { withoutFormula } from '../export/export-rows.ts';
import { workbookOf } from '../export/workbook.ts';
import { groupBy } from '../group-by.ts';
import { ruleAt } from '../import/rules/rules-text.ts';
import type { ComparedFiles } from '../match/compare.ts';
import {
  COMPARED_FIELDS,
  type ComparedEntry,
  type ComparedField,
  type DifferingField,
  differences,
  FIELD_WORDS,
  surplusOf,
} from '../match/compared-entry.ts';
import { type FileEntry, rowKey, rowName } from '../match/row.ts';
import { pounds } from '../pounds.ts';
import type { NewTransaction, Source, Transaction } from '../resources.ts';
import type { DifferentRow } from './contradictions.ts';
import { goneText } from './outcome-texts.ts';
import { FAILURES, type Reconciliation } from './reconciliation.ts';

const APP_CHANGE_COLUMNS = [
  'action',
  'property',
  'date',
  'description',
  'is',
  'shouldBe',
  'reference',
  'id',
  'reason',
] as const;

/** `move`: to another property or business. `check`: a person has to see whether it is a payment. */
export interface AppChange extends Record<Exclude<(typeof APP_CHANGE_COLUMNS)[number], 'action'>, string> {
  action: 'change' | 'move' | 'remove' | 'check';
}

/** A line before it has the content of its entry. */
type ChangeLine = Pick<AppChange, 'action' | 'id' | 'reason'> & Partial<Pick<AppChange, 'is' | 'shouldBe'>>;

interface AppChangesInput extends ComparedFiles {
  rules: { text: string } | undefined;
}

/** The corrections, by property and date. An entry has one: the first reason about it is the most specific. */
export function appChangesOf(
  reconciliation: Reconciliation,
  compared: AppChangesInput,
  different: readonly DifferentRow[],
): AppChange[] {
  const { byId } = compared.books;
  const changes = new Map<string, AppChange>();
  for (const line of [
    ...linesOfDifferentRows(different),
    ...linesOfRows(compared),
    ...linesOfLeftOut(compared),
    ...linesOfGone(reconciliation),
    ...linesOfOmitted(reconciliation),
  ]) {
    const { stored, source } = byId.get(line.id) ?? {};
    // The first line about an entry is the most specific.
    if (!stored || !source || changes.has(line.id)) continue;
    const { date, description, externalRef } = stored;
    changes.set(line.id, {
      property: source.name,
      date,
      description: description ?? '',
      is: entryText(stored),
      shouldBe: '',
      reference: externalRef ?? '',
      ...line,
    });
  }
  const orderKey = ({ property, date, id }: AppChange) => `${property} ${date} ${id}`;
  return [...changes.values()].sort((one, other) => (orderKey(one) < orderKey(other) ? -1 : 1));
}

/** Entries of payments that have other facts in another file: no row is preferred. */
const linesOfDifferentRows = (different: readonly DifferentRow[]): ChangeLine[] =>
  different.flatMap(({ row, firstRow, storedRow = [], differing }) => {
    const reason = `${rowName(firstRow)} and ${rowName(row)} are this payment, and differ in ${differing}. Reconcile the right file alone.`;
    return storedRow.map(({ stored }): ChangeLine => ({ action: 'check', id: stored.id, reason }));
  });

/** Entries that differ from their rows. */
function linesOfRows(compared: AppChangesInput): ChangeLine[] {
  const rows = groupBy(compared.entries, rowKey).values();
  return [...rows].flatMap((parts) => {
    const differing = parts.map((part) => differenceOf(part, compared));
    return differing[0]?.fields.includes('split')
      ? linesOfSplit(parts, differing, compared)
      : parts.flatMap((part, index) => linesOfDifference(part, differing[index], compared));
  });
}

/** A stored entry that is not as its row. */
interface EntryDifference {
  stored: Transaction;
  fields: readonly DifferingField[];
  /** The source that has it, if the row is of another one. */
  movedFrom?: Source | undefined;
  /** It may be an earlier version of the row, and a person has to decide. */
  isOpen?: boolean;
}

/** The entry to correct for the entry of a file, if there is one. */
function differenceOf(entry: ComparedEntry, { wrongSource }: AppChangesInput): EntryDifference | undefined {
  switch (entry.matchStatus) {
    case 'conflict': {
      const { stored, fields } = entry;
      return { stored, fields };
    }
    case 'elsewhere': {
      const { stored, fields, storedIn } = entry;
      return { stored, fields, movedFrom: storedIn };
    }
    case 'probable': {
      const { stored, fields, source, isElsewhere, other } = entry.probably;
      // A row of another file is no stored one.
      return other
        ? undefined
        : { stored, fields, movedFrom: isElsewhere ? source : undefined, isOpen: true };
    }
    case 'new':
    case 'held back': {
      const { stored, source } = entry.equalElsewhere ?? {};
      const isOfWrongSource = !entry.isSourceChosen && source && source.id === wrongSource?.source.id;
      return stored && isOfWrongSource ? { stored, fields: [], movedFrom: source } : undefined;
    }
    case 'known':
    case 'same':
    case 'taken':
      return undefined;
  }
}

/** A row that is split in another way: its entries get the amounts of the parts, and surplus entries are removed. */
function linesOfSplit(
  parts: readonly ComparedEntry[],
  differing: readonly (EntryDifference | undefined)[],
  compared: AppChangesInput,
): ChangeLine[] {
  const [firstPart] = parts as [ComparedEntry];
  const name = rowName(firstPart);
  const surplus = new Set(parts.flatMap(surplusOf).map(({ stored }) => stored.id));
  const used = new Set<string>();
  const changed = parts.flatMap((part, index): ChangeLine[] => {
    const difference = differing[index];
    if (!difference || surplus.has(difference.stored.id) || used.has(difference.stored.id)) return [];
    const { stored } = difference;
    used.add(stored.id);
    const source = compared.books.byId.get(stored.id)?.source;
    const movedFrom = source?.id === (part.source ?? compared.source)?.id ? undefined : source;
    return linesOfDifference(part, { ...difference, fields: differences(part, stored), movedFrom }, compared);
  });
  const holder = compared.books.byReference.get(firstPart.whole.reference)?.stored;
  if (holder && !used.has(holder.id) && !surplus.has(holder.id)) {
    const why = `The rules split ${name} in another way, and its reference belongs to entry ${holder.id}: correct the entry by hand.`;
    return [...used, ...surplus].map((id): ChangeLine => ({ action: 'check', id, reason: why }));
  }
  const reason = `${differing[0]?.isOpen ? `${mayBeEarlier(name)} ` : ''}The rules split ${name} in another way. Push the file again when the list is done.`;
  return [
    ...changed.map((line) => ({ ...line, reason })),
    ...[...surplus].map((id): ChangeLine => ({ action: 'remove', id, reason })),
  ];
}

function linesOfDifference(
  entry: FileEntry,
  difference: EntryDifference | undefined,
  { source, books }: AppChangesInput,
): ChangeLine[] {
  if (!difference) return [];
  const { stored, fields, movedFrom, isOpen } = difference;
  if (!movedFrom && fields.length === 0) return [];
  const differing = COMPARED_FIELDS.filter((field) => fields.includes(field));
  const contentIn = (side: NewTransaction | Transaction, property = '') =>
    [...(movedFrom ? [property] : []), ...differing.map((field) => fieldInWords(side, field))].join(', ');
  const target = entry.source?.name ?? books.sources.find(({ id }) => id === source?.id)?.name ?? '';
  const name = rowName(entry);
  const reasonOfRow = () => {
    if (isOpen) return mayBeEarlier(name);
    if (movedFrom && !entry.isSourceChosen)
      return `Here, ${name} is of ${target}. If the file is of ${movedFrom.name}, reconcile it for that: then it is not listed.`;
    return movedFrom ? `By the rules or the file, ${name} is of ${target}.` : `This is in ${name}.`;
  };
  return [
    {
      action: movedFrom ? 'move' : 'change',
      id: stored.id,
      reason: reasonOfRow(),
      is: contentIn(stored, movedFrom?.name),
      shouldBe: contentIn(entry.entry, target),
    },
  ];
}

function linesOfLeftOut({ leftOutAndStored, rules }: AppChangesInput): ChangeLine[] {
  return leftOutAndStored.flatMap(({ storedEntries, file, row, rule }) => {
    const name = rowName({ file, row });
    const reason =
      rule === undefined
        ? `Somebody left out ${name}. If the entry is right, do not leave the row out.`
        : `The rule "${ruleAt(rules?.text ?? '', rule)}" leaves out ${name}.`;
    return storedEntries.map(({ stored: { id } }): ChangeLine => ({ action: 'remove', id, reason }));
  });
}

const linesOfGone = ({ gone }: Reconciliation): ChangeLine[] =>
  gone.map((entry) => {
    const action = entry.isCertain ? 'remove' : 'check';
    return { action, id: entry.id, reason: goneText(entry) };
  });

/** Entries of the day and the description of a row that makes none. */
const linesOfOmitted = ({ files }: Reconciliation): ChangeLine[] =>
  files.flatMap(({ name: file, rows }) =>
    rows.flatMap(({ row, outcome, entriesOfDay = [] }) => {
      if (!FAILURES.includes(outcome)) return [];
      const reason = `${rowName({ file, row })} has its day and description, and makes no entry.`;
      return entriesOfDay.map((id): ChangeLine => ({ action: 'remove', id, reason }));
    }),
  );

const mayBeEarlier = (name: string) =>
  `It may be ${name}. Say whether it is, with --decide. If both are payments, it is not listed then.`;

/** The headings of the columns, for people. */
export const APP_CHANGE_HEADINGS: readonly string[] = APP_CHANGE_COLUMNS.map((name) =>
  name === 'shouldBe' ? 'should be' : name,
);

/** The list as CSV. No cell is a formula for a spreadsheet. */
export function appChangesCsv(changes: readonly AppChange[]): string {
  return csvOf(changesTable(changes).map((cells) => cells.map(withoutFormula)));
}

/** The list as an XLSX workbook. */
export const appChangesWorkbook = (changes: readonly AppChange[]) =>
  workbookOf('corrections', { Entries: changesTable(changes) });

const changesTable = (changes: readonly AppChange[]): string[][] => [
  [...APP_CHANGE_HEADINGS],
  ...changes.map((change) => APP_CHANGE_COLUMNS.map((name) => change[name])),
];

const entryText = (entry: NewTransaction | Transaction) =>
  [entry.type, pounds(entry.amountPence), entry.category ?? []].flat().join(', ');

function fieldInWords(entry: NewTransaction | Transaction, field: ComparedField): string {
  const value = field === 'amountPence' ? pounds(entry.amountPence) : (entry[field] ?? 'none');
  return `${FIELD_WORDS[field]} ${value}`;
}
