/** Files of one run that contradict each other. Which one is right, a person sees: reconciled alone, it says what to change. */
import { isSameQuarter } from './beside.ts';
import type { Claim, Gone, SilentRow } from './claims.ts';
import type { DifferingField } from './match-status.ts';
import type { Matched } from './matcher.ts';
import { mayBeSameAccount, type StoredRow } from './origin.ts';
import { isNear } from './payments.ts';
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

/** The entries of rows that another file of the account lacks, between its first and its last day. */
export function contradictedIn(
  { groups }: Pick<Matched, 'groups'>,
  claims: readonly Claim[],
  silent: readonly SilentRow[],
): Gone[] {
  return groups.flatMap(({ verdict, rows, stored: [entries] }): Gone[] => {
    const [other] = rows;
    if (verdict !== 'same' || !entries || !other) return [];
    const isLacking = ({ file, account, from, to, isRead }: Claim) =>
      isRead &&
      account !== '' &&
      other.account !== '' &&
      mayBeSameAccount(account, other.account) &&
      rows.every((row) => row.file !== file && from < row.date && row.date < to) &&
      !silent.some((each) => each.file === file && each.text === other.text && isNear(each, other));
    const claim = claims.find(isLacking);
    return claim ? [{ entries, file: claim.file, other, isCertain: false }] : [];
  });
}
