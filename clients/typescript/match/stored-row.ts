/** A stored row: the entries of one row, as one record of a payment. */
import { groupBy } from '../group-by.ts';
import type { Source } from '../resources.ts';
import { recordIdOf } from './decision.ts';
import { isPartReference, partNumber, rowOfPart } from './part-reference.ts';
import { descriptionKey, type PaymentFacts, signed } from './payment-facts.ts';
import type { Row } from './row.ts';
import type { StoredEntry } from './stored-books.ts';

/** The entries of one row, in the order of its parts. */
export type StoredRow = readonly [StoredEntry, ...StoredEntry[]];

/** Groups entries by their row. An entry that is no part is a stored row alone. */
export function storedRowsOf(entries: readonly StoredEntry[]): StoredRow[] {
  const split = new Set(
    entries.flatMap(({ stored: { externalRef } }) =>
      externalRef && isPartReference(externalRef) ? rowOfPart(externalRef) : [],
    ),
  );
  const groups = groupBy(entries, ({ stored: { id, externalRef, date, description } }) => {
    const row = split.size === 0 || externalRef === null ? id : rowOfPart(externalRef);
    // Each of several amounts has its own text of a conversion.
    return split.has(row) ? `${row}\n${date}\n${descriptionKey(description ?? '')}` : id;
  });
  const numberOf = ({ stored: { externalRef } }: StoredEntry) => partNumber(externalRef ?? '');
  return [...groups.values()].map(
    (all) => all.sort((a, b) => numberOf(a) - numberOf(b)) as unknown as StoredRow,
  );
}

/** Comparisons need the facts of a stored row many times. */
const knownFacts = new WeakMap<StoredRow, PaymentFacts>();

/** The facts of the whole payment, by its first entry and the sum. */
export function storedFacts(storedRow: StoredRow): PaymentFacts {
  const known = knownFacts.get(storedRow);
  if (known) return known;
  const { date, description } = storedRow[0].stored;
  const pence = storedRow.map(({ stored }) => signed(stored));
  const sum = pence.reduce((one, other) => one + other);
  const facts = { date, pence: sum, text: descriptionKey(description ?? ''), amounts: [sum, ...pence] };
  knownFacts.set(storedRow, facts);
  return facts;
}

/** A row as if it was stored, with its own id. */
export function asStoredRow(row: Row): StoredRow {
  const id = recordIdOf(row);
  const parts = row.parts.map((part): StoredEntry => {
    const { entry, source = { id: row.sourceIds[0] ?? '', name: row.file } } = part;
    const { category = null, description = null, externalRef = null } = entry;
    return { stored: { ...entry, id, category, description, externalRef }, source: source as Source };
  });
  return parts as unknown as StoredRow;
}
