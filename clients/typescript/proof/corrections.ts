/** Entries that a person has to change in the app, because the API has no update and no delete: one line for each. */
import type { Compared } from '../books/compared.ts';
import { csvOf } from '../books/csv.ts';
import { withoutFormula } from '../books/export-rows.ts';
import type { FileEntry } from '../books/joined-files.ts';
import { pounds } from '../books/pounds.ts';
import { COMPARED, type ComparedField, type ComparedRow, FIELD_WORDS, isOpen } from '../books/standing.ts';
import { storedRows } from '../books/stored-rows.ts';
import { workbookOf } from '../books/workbook.ts';
import { groupBy } from '../group-by.ts';
import type { NewTransaction } from '../import/options.ts';
import type { Source, Transaction } from '../resources.ts';
import type { Proof } from './proof.ts';

const COLUMNS = [
  ...(['action', 'property', 'date', 'description', 'is', 'shouldBe'] as const),
  ...(['reference', 'id', 'reason'] as const),
];

/** `move`: to another property or business. */
export interface Correction extends Record<Exclude<(typeof COLUMNS)[number], 'action'>, string> {
  action: 'change' | 'move' | 'remove';
}

/** @param rules their text */
export function correctionsOf(
  proof: Proof,
  compared: Compared & { source: Source | undefined },
  rules = '',
): Correction[] {
  const { entries, comparison, books, leftOut, source } = compared;
  const found = new Map<string, Correction>();
  const add = (
    action: Correction['action'],
    stored: Transaction,
    more: Pick<Correction, 'reason'> & Partial<Pick<Correction, 'is' | 'shouldBe'>>,
  ) => {
    if (found.has(stored.id)) return;
    const { id, date, description, externalRef } = stored;
    const property = books.byId.get(id)?.source.name ?? '';
    found.set(id, {
      ...{ action, property, date, description: description ?? '', is: contentOf(stored), shouldBe: '' },
      ...{ reference: externalRef ?? '', id, ...more },
    });
  };
  const rowsOf = groupBy(entries.keys(), (index) => `${entries[index]?.file} ${entries[index]?.row}`);
  const storedOf = storedRows(books);
  for (const indexes of rowsOf.values()) {
    const rows = indexes.map((index) => ({
      ...asStored(comparison.rows[index] as ComparedRow),
      read: entries[index] as FileEntry,
    }));
    const [first] = rows as [(typeof rows)[number]];
    const place = placeOf(first.read);
    if (first.fields?.includes('split')) {
      const { entry, isReferenceDerived, rowReference = entry.externalRef ?? '' } = first.read;
      const reason = `The rules split ${place} in another way. Remove this entry, and push the file again.`;
      const ofRow = storedOf({ rowReference, isReferenceDerived }).map(({ stored }) => stored);
      for (const stored of [...ofRow, ...rows.flatMap((row) => row.stored ?? [])])
        add('remove', stored, { reason });
      continue;
    }
    for (const { standing, stored, fields = [], entry, source: other, read, probably } of rows) {
      const isMoved = standing === 'elsewhere';
      if (!stored || (!isMoved && fields.length === 0)) continue;
      const differing = COMPARED.filter((field) => fields.includes(field));
      const contentIn = (each: NewTransaction | Transaction, property = '') =>
        [...(isMoved ? [property] : []), ...differing.map((field) => wordsOf(each, field))].join(', ');
      const target = read.source?.name ?? source?.name ?? '';
      const [is, shouldBe] = [contentIn(stored, other?.name), contentIn(entry, target)] as const;
      const reason = probably
        ? mayBeEarlier(place)
        : isMoved
          ? `The rules or the file say ${target} for ${place}.`
          : `This is what ${place} says.`;
      add(isMoved ? 'move' : 'change', stored, { is, shouldBe, reason });
    }
  }
  const lines = rules.split(/\r\n?|\n/);
  for (const { stored, file, row, rule } of leftOut) {
    const reason = `The rule "${lines[rule - 1]?.trim() ?? ''}" leaves out ${placeOf({ file, row })}.`;
    for (const each of stored) add('remove', each.stored, { reason });
  }
  const storedById = (id: string) => books.byId.get(id)?.stored;
  for (const { id, file, row } of proof.earlierVersions) {
    const stored = storedById(id);
    if (stored) add('remove', stored, { reason: mayBeEarlier(placeOf({ file, row })) });
  }
  for (const { name: file, rows } of proof.files) {
    for (const { row, outcome, entriesOfDay = [] } of rows) {
      if (!outcome.includes('an entry of the day')) continue;
      const reason = `${placeOf({ file, row })} has its day and description, and makes no entry.`;
      for (const id of entriesOfDay) {
        const stored = storedById(id);
        if (stored) add('remove', stored, { reason });
      }
    }
  }
  const keyOf = ({ property, date, id }: Correction) => `${property} ${date} ${id}`;
  return [...found.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** A row that nobody has decided about, as if it were the entry: that is what a person has to look at. */
function asStored(row: ComparedRow): ComparedRow {
  const { probably } = row;
  if (!probably || !isOpen(row)) return row;
  const { stored, source, fields, isElsewhere } = probably;
  return { ...row, standing: isElsewhere ? 'elsewhere' : 'conflict', stored, source, fields };
}

const mayBeEarlier = (place: string) =>
  `It may be an earlier version of ${place}. If both are payments, say so: then it is not listed.`;

const HEADINGS = { ...Object.fromEntries(COLUMNS.map((name) => [name, name])), shouldBe: 'should be' };

export function correctionsCsv(corrections: readonly Correction[]): string {
  return csvOf(tableOf(corrections).map((cells) => cells.map(withoutFormula)));
}

export const correctionsWorkbook = (corrections: readonly Correction[]) => workbookOf(tableOf(corrections));

const tableOf = (corrections: readonly Correction[]): string[][] => [
  COLUMNS.map((name) => (HEADINGS as Record<string, string>)[name] ?? name),
  ...corrections.map((each) => COLUMNS.map((name) => each[name])),
];

const placeOf = ({ file, row }: { file: string; row: number }) => `row ${row} of ${file}`;

const contentOf = (entry: NewTransaction | Transaction) =>
  [entry.type, pounds(entry.amountPence), entry.category ?? ''].filter((text) => text !== '').join(', ');

function wordsOf(entry: NewTransaction | Transaction, field: ComparedField): string {
  const value = field === 'amountPence' ? pounds(entry.amountPence) : (entry[field] ?? 'none');
  return `${FIELD_WORDS[field]} ${value}`;
}
