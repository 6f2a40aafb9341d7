/** A payment: the records that are one so far, rows of files and at most one stored row. */
import type { ComparedPart } from './compared-entry.ts';
import { asQuestion, asStored } from './compared-parts.ts';
import { recordIdOf } from './decision.ts';
import { rowOfPart } from './part-reference.ts';
import type { PaymentFacts } from './payment-facts.ts';
import type { RepeatedRow, Row } from './row.ts';
import { type StoredRow, storedFacts } from './stored-row.ts';

interface OwnFacts {
  /** The reference of its row belongs to an entry that the row does not resemble. */
  isReferenceTaken?: boolean;
  /** The balance shows that it is another payment than the equal one that the books have. */
  isAgainstBalance?: boolean;
}

/** It changes while rows and entries are matched, by its methods alone. */
export class Payment {
  readonly isReferenceTaken: boolean;
  readonly isAgainstBalance: boolean;
  #rows: readonly Row[];
  #storedRow: StoredRow | undefined;
  #comparedParts: readonly ComparedPart[];

  constructor(
    rows: readonly Row[],
    storedRow: StoredRow | undefined,
    comparedParts: readonly ComparedPart[],
    { isReferenceTaken = false, isAgainstBalance = false }: OwnFacts = {},
  ) {
    this.#rows = rows;
    this.#storedRow = storedRow;
    this.#comparedParts = comparedParts;
    this.isReferenceTaken = isReferenceTaken;
    this.isAgainstBalance = isAgainstBalance;
  }

  /** At most one of each file. */
  get rows(): readonly Row[] {
    return this.#rows;
  }

  get storedRow(): StoredRow | undefined {
    return this.#storedRow;
  }

  /** The parts of its rows, compared with the books. */
  get comparedParts(): readonly ComparedPart[] {
    return this.#comparedParts;
  }

  /** Other files have it in these rows. */
  addRows(rows: readonly Row[]): void {
    this.#rows = [...this.#rows, ...rows];
  }

  /** A person or the default has said that these rows are this payment. */
  joinRows(rows: readonly Row[]): void {
    const [row] = rows;
    if (row && this.#storedRow && this.#rows.length === 0)
      this.#comparedParts = asStored(row, this.#storedRow, false);
    this.addRows(rows);
  }

  /** The reference of its row proves that it is this stored row. */
  becomeStored(storedRow: StoredRow): void {
    this.#storedRow = storedRow;
    this.#comparedParts = asStored(this.#rows[0] as Row, storedRow, true);
  }

  /** A person has to decide whether its row is this record. */
  becomeQuestion(row: Row, storedRow: StoredRow, other: Row | undefined): void {
    this.#comparedParts = asQuestion(row, this.#comparedParts, storedRow, other);
  }
}

/** Describes the row as a repetition of the first row of a payment. */
export const repeatedRow = ({ file, row }: Row, { rows: [first] }: Payment): RepeatedRow => ({
  file,
  row,
  first: { file: first?.file ?? '', row: first?.row ?? 0 },
});

/** Whether the payment has a row of the same file: two rows of one file are two payments. */
export const hasRowOfFile = ({ rows }: Payment, { file }: Row) => rows.some((row) => row.file === file);

/** Whether one of its records has such facts. */
export const hasFacts = ({ rows, storedRow }: Payment, are: (facts: PaymentFacts) => boolean): boolean =>
  rows.some(are) || (storedRow !== undefined && are(storedFacts(storedRow)));

/** The ids by which decisions name a payment: of its entry, and of its rows. */
export function decisionIdsOf(payment: Pick<Payment, 'storedRow'> & { rows: readonly Row[] }): string[] {
  const { rows, storedRow } = payment;
  const { id, externalRef = null } = storedRow?.[0].stored ?? {};
  const ofStoredRow =
    storedRow && externalRef !== null
      ? [recordIdOf({ reference: rowOfPart(externalRef), ...storedFacts(storedRow) })]
      : [];
  return [...(id === undefined ? [] : [id]), ...ofStoredRow, ...rows.map(recordIdOf)];
}
