/** Entries that a person has to change in the app, because the API has no update and no delete: one line for each. */
import type { Compared } from '../books/compared.ts';
import { csvOf } from '../books/csv.ts';
import { withoutFormula } from '../books/export-rows.ts';
import type { FileEntry } from '../books/joined-files.ts';
import { pounds } from '../books/pounds.ts';
import { COMPARED, type ComparedField, type ComparedRow, FIELD_WORDS } from '../books/standing.ts';
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
      ...(comparison.rows[index] as ComparedRow),
      read: entries[index] as FileEntry,
    }));
    const [first] = rows as [(typeof rows)[number]];
    if (first.fields?.includes('split')) {
      const { entry, isReferenceDerived, rowReference = entry.externalRef ?? '' } = first.read;
      const reason = `The rules split ${placeOf(first.read)} in another way. Remove this entry, and push the file again.`;
      const ofRow = storedOf({ rowReference, isReferenceDerived }).map(({ stored }) => stored);
      for (const stored of [...ofRow, ...rows.flatMap((row) => row.stored ?? [])])
        add('remove', stored, { reason });
      continue;
    }
    for (const { standing, stored, fields = [], entry, source: other, read } of rows) {
      if (!stored) continue;
      if (standing === 'elsewhere') {
        const target = read.source?.name ?? source?.name ?? '';
        const reason = `The rules or the file say ${target} for ${placeOf(read)}.`;
        add('move', stored, { is: other?.name ?? '', shouldBe: target, reason });
      }
      if (standing !== 'conflict') continue;
      const differing = COMPARED.filter((field) => fields.includes(field));
      const contentIn = (each: NewTransaction | Transaction) =>
        differing.map((field) => wordsOf(each, field)).join(', ');
      const [is, shouldBe] = [contentIn(stored), contentIn(entry)] as const;
      add('change', stored, { is, shouldBe, reason: `This is what ${placeOf(read)} says.` });
    }
  }
  const lines = rules.split(/\r\n?|\n/);
  for (const { stored, file, row, rule } of leftOut) {
    const reason = `The rule "${lines[rule - 1]?.trim() ?? ''}" leaves out ${placeOf({ file, row })}.`;
    for (const each of stored) add('remove', each.stored, { reason });
  }
  const storedById = (id: string) => books.byId.get(id)?.stored;
  for (const { id, file, row } of proof.earlierVersions) {
    const reason = `It may be an earlier version of ${placeOf({ file, row })}. If both are payments, say so: then it is not listed.`;
    const stored = storedById(id);
    const read = entries.find(
      (each, index) => each.file === file && each.row === row && comparison.rows[index]?.standing === 'new',
    );
    if (!stored) continue;
    // A row that is not stored is stored when its entry is changed.
    if (read) add('change', stored, { shouldBe: contentOf(read.entry), reason });
    else add('remove', stored, { reason });
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
