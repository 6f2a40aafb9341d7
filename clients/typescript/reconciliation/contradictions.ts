/** Rows of two files that are one payment and contradict each other. A person sees which file is right: reconciled alone, it leads to the right list. */

import { FIELD_WORDS } from '../match/compared-entry.ts';
import { isSameQuarter } from '../match/compared-parts.ts';
import type { Matched } from '../match/matcher.ts';
import { signedSum } from '../match/payment-facts.ts';
import type { Row } from '../match/row.ts';
import type { StoredRow } from '../match/stored-row.ts';

/** Two rows of a payment with different facts: at most one of them is right. */
export interface DifferentRows {
  row: Row;
  firstRow: Row;
  /** The stored payment, if there is one. */
  storedRow: StoredRow | undefined;
  /** The names of these facts, for people. */
  differing: string;
}

export const differentRowsIn = ({ payments }: Pick<Matched, 'payments'>): DifferentRows[] =>
  payments.flatMap(({ rows, storedRow }) => {
    const [firstRow, ...others] = rows as [Row, ...Row[]];
    return others.flatMap((row) => {
      const facts = differingFacts(firstRow, row);
      return facts.length > 0 ? { row, firstRow, storedRow, differing: facts.join(' and ') } : [];
    });
  });

/**
 * A date counts across a quarter, and a description never: banks change both. A property and a category count if the rules or the files name one
 * for both rows.
 */
function differingFacts(one: Row, other: Row): string[] {
  const isOfProperty = one.sourceIds.some((id) => other.sourceIds.includes(id));
  const areChosen = one.isSourceChosen && other.isSourceChosen;
  const [categories, otherCategories] = [categoriesOf(one), categoriesOf(other)];
  const isOfCategory = categories.some((category) => otherCategories.includes(category));
  const areNamed = categories.length > 0 && otherCategories.length > 0;
  return [
    ...(wholesOf(one).some((pence) => wholesOf(other).includes(pence)) ? [] : [FIELD_WORDS.amountPence]),
    ...(isSameQuarter(one.date, other.date) ? [] : [FIELD_WORDS.date]),
    ...(areChosen && !isOfProperty ? ['property'] : []),
    ...(areNamed && !isOfCategory ? [FIELD_WORDS.category] : []),
  ];
}

/** The amount of the row, and of all that it sends: a list with one of its parts differs. */
const wholesOf = ({ pence, parts }: Row) => [pence, signedSum(parts.map(({ entry }) => entry))];

const categoriesOf = ({ parts }: Row) => parts.flatMap(({ entry }) => entry.category ?? []);
