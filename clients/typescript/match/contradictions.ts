/** Rows of two files that are one payment and contradict each other. A person sees which file is right: reconciled alone, it leads to the right list. */
import { isSameQuarter } from './compared-row.ts';
import type { DifferingField } from './match-status.ts';
import type { Matched } from './matcher.ts';
import type { StoredRow } from './origin.ts';
import type { Row } from './row.ts';

/** Two rows of a payment with different facts: at most one of them is right. */
export interface DifferentRows {
  row: Row;
  first: Row;
  /** The stored payment, if there is one. */
  entries: StoredRow | undefined;
  fields: readonly DifferingField[];
}

export const differentRowsIn = ({ groups }: Pick<Matched, 'groups'>): DifferentRows[] =>
  groups.flatMap(({ verdict, rows: [first, ...others], stored: [entries] }) =>
    verdict === 'question' || !first
      ? []
      : others.flatMap((row) => {
          const fields = differingFields(first, row);
          return fields.length > 0 ? { row, first, entries, fields } : [];
        }),
  );

/** A date counts across a quarter, and a description never: banks change both. */
function differingFields(one: Row, other: Row): DifferingField[] {
  const isAmount = !one.amounts.some((pence) => other.amounts.includes(pence));
  return [
    ...(isAmount ? ['amountPence' as const] : []),
    ...(isSameQuarter(one.date, other.date) ? [] : ['date' as const]),
  ];
}
