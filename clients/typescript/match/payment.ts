/** A payment: the records that are one so far, rows of files and at most one stored row. */
import type { ComparedPart } from './compared-entry.ts';
import { recordIdOf } from './decision.ts';
import { rowOfPart } from './part-reference.ts';
import type { PaymentFacts } from './payment-facts.ts';
import type { RepeatedRow, Row } from './row.ts';
import { type StoredRow, storedFacts } from './stored-row.ts';

/** It changes while rows and entries are matched: `withEarlierAccounts` and `questionsOf` join records to it. */
export interface Payment {
  /** At most one of each file. */
  rows: Row[];
  storedRow: StoredRow | undefined;
  /** The parts of its rows, compared with the books. */
  parts: readonly ComparedPart[];
  /** The reference of its row belongs to an entry that the row does not resemble. */
  isReferenceTaken: boolean;
  /** The balance shows that it is another payment than the equal one that the books have. */
  isAgainstBalance: boolean;
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
