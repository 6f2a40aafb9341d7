/** Entries that a person has to change in the app, because the API has no update and no delete: one line for each. */
import type { Compared } from '../books/compared.ts';
import { csvOf } from '../books/csv.ts';
import { withoutFormula } from '../books/export-rows.ts';
import type { FileEntry } from '../books/joined-files.ts';
import {
  COMPARED,
  type ComparedField,
  type ComparedRow,
  FIELD_WORDS,
  isOpen,
} from '../books/match-status.ts';
import { pounds } from '../books/pounds.ts';
import { storedRows } from '../books/stored-rows.ts';
import { workbookOf } from '../books/workbook.ts';
import { groupBy } from '../group-by.ts';
import type { NewTransaction } from '../import/options.ts';
import type { Source, Transaction } from '../resources.ts';
import { FAILURES, type Reconciliation } from './reconciliation.ts';

const COLUMNS = [
  ...(['action', 'property', 'date', 'description', 'is', 'shouldBe'] as const),
  ...(['reference', 'id', 'reason'] as const),
];

/** `move`: to another property or business. */
export interface Correction extends Record<Exclude<(typeof COLUMNS)[number], 'action'>, string> {
  action: 'change' | 'move' | 'remove';
}

/** A line before it has the content of its entry. */
type Found = Pick<Correction, 'action' | 'id' | 'reason'> & Partial<Pick<Correction, 'is' | 'shouldBe'>>;

type ComparedFiles = Compared & { source: Source | undefined };
type Row = ComparedRow & { read: FileEntry };

/** @param rules their text */
export function correctionsOf(
  reconciliation: Reconciliation,
  compared: ComparedFiles,
  rules = '',
): Correction[] {
  const { byId } = compared.books;
  const corrections = new Map<string, Correction>();
  for (const found of [
    ...ofRows(compared),
    ...ofLeftOut(compared, rules),
    ...ofReconciliation(reconciliation),
  ]) {
    const { stored, source } = byId.get(found.id) ?? {};
    // The first line about an entry is the most specific.
    if (!stored || !source || corrections.has(found.id)) continue;
    const { date, description, externalRef } = stored;
    corrections.set(found.id, {
      ...{ property: source.name, date, description: description ?? '', is: contentOf(stored), shouldBe: '' },
      ...{ reference: externalRef ?? '', ...found },
    });
  }
  const keyOf = ({ property, date, id }: Correction) => `${property} ${date} ${id}`;
  return [...corrections.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Entries that differ from their rows. */
function ofRows(compared: ComparedFiles): Found[] {
  const { entries, comparison, books } = compared;
  const storedOf = storedRows(books);
  const indexesByRow = groupBy(entries.keys(), (index) => `${entries[index]?.file} ${entries[index]?.row}`);
  return [...indexesByRow.values()].flatMap((indexes) => {
    const rows = indexes.map((index) => ({
      ...asStored(comparison.rows[index] as ComparedRow),
      read: entries[index] as FileEntry,
    }));
    return rows[0]?.fields?.includes('split')
      ? ofSplit(rows, compared, storedOf)
      : rows.flatMap((row) => ofRow(row, compared));
  });
}

/** Treats an undecided row as a new version of the entry, for a person to check. */
function asStored(row: ComparedRow): ComparedRow {
  const { probably } = row;
  if (!probably || !isOpen(row)) return row;
  const { stored, source, fields, isElsewhere } = probably;
  return { ...row, matchStatus: isElsewhere ? 'elsewhere' : 'conflict', stored, source, fields };
}

/** All entries of a row that is split in another way. */
function ofSplit(
  rows: readonly Row[],
  { books, source }: ComparedFiles,
  storedOf: ReturnType<typeof storedRows>,
): Found[] {
  const {
    entry,
    isReferenceDerived,
    rowReference = entry.externalRef ?? '',
    ...read
  } = (rows[0] as Row).read;
  const reason = `The rules split ${rowName(read)} in another way. Remove this entry, and push the file again.`;
  return rows.flatMap(({ stored }) => {
    const id = stored && books.byId.get(stored.id)?.source.id;
    // An equal payment of another property is correct.
    if (!stored || (id !== (read.source ?? source)?.id && !read.isSourceChosen)) return [];
    const all = storedOf({ ...entry, rowReference, isReferenceDerived }, id).map((each) => each.stored);
    return [...all, stored].map((each): Found => ({ action: 'remove', id: each.id, reason }));
  });
}

function ofRow(row: Row, { comparison, source }: ComparedFiles): Found[] {
  const { matchStatus, stored, fields = [], entry, source: other, read, probably } = row;
  const isOfWrongSource = isInWrongSource(row, comparison);
  const isMoved = matchStatus === 'elsewhere' || isOfWrongSource;
  if (!stored || (!isMoved && fields.length === 0)) return [];
  const differing = COMPARED.filter((field) => fields.includes(field));
  const contentIn = (each: NewTransaction | Transaction, property = '') =>
    [...(isMoved ? [property] : []), ...differing.map((field) => wordsOf(each, field))].join(', ');
  const target = read.source?.name ?? source?.name ?? '';
  const name = rowName(read);
  const reasonOfRow = () => {
    if (probably) return mayBeEarlier(name);
    if (isOfWrongSource)
      return `Here, ${name} is of ${target}. If the file is of ${other?.name}, reconcile it for that: then it is not listed.`;
    return isMoved ? `By the rules or the file, ${name} is of ${target}.` : `This is in ${name}.`;
  };
  return [
    {
      ...{ action: isMoved ? 'move' : 'change', id: stored.id, reason: reasonOfRow() },
      ...{ is: contentIn(stored, other?.name), shouldBe: contentIn(entry, target) },
    },
  ];
}

const isInWrongSource = ({ matchStatus, read, source }: Row, { wrongSource }: Compared['comparison']) =>
  matchStatus === 'new' &&
  !read.isSourceChosen &&
  source !== undefined &&
  source.id === wrongSource?.source.id;

function ofLeftOut({ leftOut }: ComparedFiles, rules: string): Found[] {
  const lines = rules.split(/\r\n?|\n/);
  return leftOut.flatMap(({ stored, file, row, rule }) => {
    const name = rowName({ file, row });
    const reason =
      rule === undefined
        ? `Somebody left out ${name}. If the entry is right, do not leave the row out.`
        : `The rule "${lines[rule - 1]?.trim() ?? ''}" leaves out ${name}.`;
    return stored.map((each): Found => ({ action: 'remove', id: each.stored.id, reason }));
  });
}

/** Entries that come from no row, with a row that may be the same payment. */
function ofReconciliation({ earlierVersions, files }: Reconciliation): Found[] {
  const earlier = earlierVersions.map(
    ({ id, file, row }): Found => ({
      ...{ action: 'remove', id, reason: mayBeEarlier(rowName({ file, row })) },
    }),
  );
  const ofDay = files.flatMap(({ name: file, rows }) =>
    rows.flatMap(({ row, outcome, entriesOfDay = [] }) => {
      if (!FAILURES.includes(outcome)) return [];
      const reason = `${rowName({ file, row })} has its day and description, and makes no entry.`;
      return entriesOfDay.map((id): Found => ({ action: 'remove', id, reason }));
    }),
  );
  return [...earlier, ...ofDay];
}

const mayBeEarlier = (name: string) =>
  `It may be an earlier version of ${name}. If both are payments, say so: then it is not listed.`;

export const CORRECTION_HEADINGS: readonly string[] = COLUMNS.map((name) =>
  name === 'shouldBe' ? 'should be' : name,
);

export function correctionsCsv(corrections: readonly Correction[]): string {
  return csvOf(tableOf(corrections).map((cells) => cells.map(withoutFormula)));
}

export const correctionsWorkbook = (corrections: readonly Correction[]) =>
  workbookOf('corrections', { Entries: tableOf(corrections) });

const tableOf = (corrections: readonly Correction[]): string[][] => [
  [...CORRECTION_HEADINGS],
  ...corrections.map((each) => COLUMNS.map((name) => each[name])),
];

const rowName = ({ file, row }: { file: string; row: number }) => `row ${row} of ${file}`;

const contentOf = (entry: NewTransaction | Transaction) =>
  [entry.type, pounds(entry.amountPence), entry.category ?? ''].filter((text) => text !== '').join(', ');

function wordsOf(entry: NewTransaction | Transaction, field: ComparedField): string {
  const value = field === 'amountPence' ? pounds(entry.amountPence) : (entry[field] ?? 'none');
  return `${FIELD_WORDS[field]} ${value}`;
}
