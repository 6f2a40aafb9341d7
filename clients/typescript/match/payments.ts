/** Payments, as far as they are known, and their facts. */

import { daysBetween } from '../days.ts';
import { groupBy } from '../group-by.ts';
import type { Balance } from '../import/result.ts';
import type { Source } from '../resources.ts';
import { isPart, partNumber, rowOfPart } from './by-reference.ts';
import type { ComparedPart } from './compared-entry.ts';
import { type Decisions, type PairDecision, recordIdOf } from './decision.ts';
import type { StoredRow } from './origin.ts';
import {
  DAYS_APART_MAX,
  type FileResult,
  type LeftOutRow,
  type PaymentFacts,
  type Repetition,
  type Row,
  sameDescription,
  signedSum,
} from './row.ts';
import type { Books, StoredEntry } from './stored-books.ts';

/** The decisions of a person, and what else a comparison depends on. */
export interface CompareOptions {
  /** The source of entries without a source of their own. */
  source: Pick<Source, 'id'> | undefined;
  decisions: Decisions;
  /** The default decision about pairs without one. `same` decides about single pairs only. */
  all?: PairDecision | undefined;
  /** The kept closing balances, by account. */
  closings?: ReadonlyMap<string, Balance> | undefined;
}

export interface MatchInput extends CompareOptions {
  files: readonly FileResult[];
  rows: readonly Row[];
  leftOut: readonly LeftOutRow[];
  books: Books;
}

/** A payment: the rows and the entries that are one, so far. */
export interface Payment {
  rows: Row[];
  storedRow: StoredRow | undefined;
  parts: readonly ComparedPart[];
  isTaken: boolean;
  /** By the balance it is another payment than the equal one that the books have. */
  isAgainstBalance: boolean;
}

/** A payment without an entry, and another one that it may be. */
export interface Edge {
  one: Payment;
  other: Payment;
}

export const repetition = ({ file, row }: Row, { rows: [first] }: Payment): Repetition => ({
  file,
  row,
  first: { file: first?.file ?? '', row: first?.row ?? 0 },
});

export const isOfFileOf = ({ rows }: Payment, { file }: Row) => rows.some((each) => each.file === file);

/** Groups entries by their row. */
export function storedRowsOf(entries: readonly StoredEntry[]): StoredRow[] {
  const split = new Set(
    entries.flatMap(({ stored: { externalRef } }) =>
      externalRef && isPart(externalRef) ? rowOfPart(externalRef) : [],
    ),
  );
  const groups = groupBy(entries, ({ stored: { id, externalRef, date, description } }) => {
    const row = split.size === 0 || externalRef === null ? id : rowOfPart(externalRef);
    // Each of several amounts has its own text of a conversion.
    return split.has(row) ? `${row}\n${date}\n${sameDescription(description ?? '')}` : id;
  });
  const numberOf = ({ stored: { externalRef } }: StoredEntry) => partNumber(externalRef ?? '');
  return [...groups.values()].map(
    (all) => all.sort((a, b) => numberOf(a) - numberOf(b)) as unknown as StoredRow,
  );
}

const facts = new WeakMap<StoredRow, PaymentFacts>();
export function storedFacts(storedRow: StoredRow): PaymentFacts {
  const [{ stored: first }] = storedRow;
  const { date, description } = first;
  const own = facts.get(storedRow) ?? {
    date,
    pence: signedSum(storedRow.map((each) => each.stored)),
    text: sameDescription(description ?? ''),
  };
  facts.set(storedRow, own);
  return own;
}

export const hasFacts = ({ rows, storedRow }: Payment, are: (facts: PaymentFacts) => boolean): boolean =>
  rows.some(are) || (storedRow !== undefined && are(storedFacts(storedRow)));
export const factKey = ({ date, pence, text }: PaymentFacts) => `${date} ${pence} ${text}`;

/** By which decisions name a payment: the id of its entry, and its rows. */
export function idsOf({
  rows,
  storedRow,
}: {
  rows: readonly Row[];
  storedRow: StoredRow | undefined;
}): string[] {
  const { id, externalRef = null } = storedRow?.[0].stored ?? {};
  const ofRow =
    storedRow && externalRef !== null
      ? [recordIdOf({ reference: rowOfPart(externalRef), ...storedFacts(storedRow) })]
      : [];
  return [...(id === undefined ? [] : [id]), ...ofRow, ...rows.map(recordIdOf)];
}

export const isNear = (one: PaymentFacts & { amounts?: readonly number[] }, other: PaymentFacts) =>
  ((one.amounts ?? [one.pence]).includes(other.pence) || (one.text === other.text && one.text !== '')) &&
  daysBetween(one.date, other.date) <= DAYS_APART_MAX;
