/** The bank account that a stored entry comes from, as far as its reference proves it, and whether a row may be that entry. */
import { isDerivedFrom, isDerivedReference } from '../import/values/derived-reference.ts';
import type { EarlierClosing } from './after-closing.ts';
import { rowOfPart } from './part-reference.ts';
import type { Row } from './row.ts';
import { type StoredRow, storedFacts } from './stored-row.ts';

/**
 * - `this`: the reference is the hash of the row in this account, or carries its id or its number.
 * - `other`: it is a hash, and not of this account, which has a number.
 * - `unknown`: the file named no account, or another program gave the reference; or this account has a name without a number, which a person
 *   may have chosen after the entry was stored.
 */
type Origin = 'this' | 'other' | 'unknown';

/** @param prefix of the references of the account, as OFX and CAMT have it. @param row whose whole amount the entries may be a part of */
export function originOf(
  storedRow: StoredRow,
  account: string,
  { prefix, row }: { prefix?: string | undefined; row?: Pick<Row, 'pence'> | undefined } = {},
): Origin {
  const { externalRef } = storedRow[0].stored;
  if (externalRef === null || account === '') return 'unknown';
  const reference = rowOfPart(externalRef);
  if (prefix !== undefined && reference.startsWith(`${prefix}:`)) return 'this';
  // In files of another format the account has another name, with the same number.
  if (!isDerivedReference(reference))
    return isSameAccount(reference.slice(0, reference.indexOf(':')), account) ? 'this' : 'unknown';
  const sums = new Set([storedFacts(storedRow).pence, row?.pence ?? 0]);
  sums.delete(0);
  const isFrom = (name: string) => [...sums].some((pence) => isHashOf(storedRow, pence, name));
  if (isFrom(account)) return 'this';
  // A person chose a name without a number, perhaps after the entry was stored under the number.
  return isFrom('') || accountDigits(account) === '' ? 'unknown' : 'other';
}

/**
 * Whether a row may be a stored row, by the account and the source of both. The account has another name in files of another format, so that
 * a payment in another source is also one if only the date or the description differs.
 */
export function mayBeEntry(row: Row, storedRow: StoredRow, closing?: EarlierClosing): boolean {
  const isHere = storedRow.some(({ source }) => row.sourceIds.includes(source.id));
  const { date } = storedRow[0].stored;
  const isBeforeClosing =
    closing?.unseenUntil !== undefined && date <= closing.unseenUntil && row.date > closing.date;
  if (isHere && !isBeforeClosing) return true;
  const origin = originOf(storedRow, row.account, { prefix: prefixOf(row), row });
  if (isBeforeClosing && origin === 'this') return false;
  const { pence, text } = storedFacts(storedRow);
  const isAlike = row.amounts.includes(pence) && (row.date === date || row.text === text);
  const isAnywhere = row.account !== '' || row.isSourceChosen;
  return isHere || origin === 'this' || (isAnywhere && (origin === 'unknown' || isAlike));
}

/**
 * Whether the entries show that their file named no account when they were stored.
 * @param hasIds also entries with an id that carries no account: a bank or another program gave it
 */
export function isUnnamed(storedRow: StoredRow, hasIds: boolean): boolean {
  const { externalRef } = storedRow[0].stored;
  if (externalRef === null) return false;
  if (!isDerivedReference(rowOfPart(externalRef))) return hasIds && !externalRef.includes(':');
  return isHashOf(storedRow, storedFacts(storedRow).pence, '');
}

/** Whether the reference of entries is the hash of their row, with this amount, in this account. */
function isHashOf([{ stored, source }]: StoredRow, pence: number, account: string): boolean {
  const { externalRef, date, description } = stored;
  const type = pence < 0 ? 'expense' : 'income';
  const content = { date, type, pence: Math.abs(pence), description: description ?? '', account } as const;
  return isDerivedFrom(rowOfPart(externalRef ?? ''), content, source.id);
}

/** The prefix of the references of an account, by a row of OFX or CAMT. */
export function prefixOf({ account, reference, isReferenceDerived }: Row): string | undefined {
  if (isReferenceDerived || account === '' || !reference.includes(':')) return undefined;
  if (reference.startsWith(`${account}:`)) return account;
  const prefix = reference.slice(0, reference.indexOf(':'));
  return prefix !== '' && account.endsWith(prefix) ? prefix : undefined;
}

const DIGITS = 8;

/** The end of the account number in a name; empty if the name has none. */
function accountDigits(name: string): string {
  const digits = name.replace(/\D/g, '').slice(-DIGITS);
  return digits.length === DIGITS ? digits : '';
}

/** In files of another format an account has another name, with the same number. */
export const isSameAccount = (one: string, other: string): boolean =>
  one !== '' && (one === other || (accountDigits(one) !== '' && accountDigits(one) === accountDigits(other)));

/** Two files may be of one account if one of them has no name, or a name without a number: a person chooses such a name. */
export const mayBeSameAccount = (one: string, other: string): boolean =>
  one === other ||
  one === '' ||
  other === '' ||
  isSameAccount(one, other) ||
  !accountDigits(one) !== !accountDigits(other);
