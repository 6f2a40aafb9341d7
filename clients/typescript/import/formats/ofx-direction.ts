/** The direction of transactions of OFX: by their types, and by the signs of their statement. */

import { groupBy } from '../../group-by.ts';
import type { EntryType } from '../options.ts';
import { refusalOf } from '../questions/refusal.ts';
import { signQuestion } from '../questions/sign-question.ts';
import { hasMinus } from '../values/amounts.ts';
import { isMinusOut } from '../values/convention.ts';
import { directionOf, isCardPayment } from '../values/direction.ts';

export type Fields = Map<string, string>;
interface OfTransaction<S> {
  name: string;
  fields: Fields;
  statement: S;
}

export const transactionType = (fields: Fields) => (fields.get('TRNTYPE') ?? '').toUpperCase();

const DIRECTION_OF_TRNTYPE: Record<string, EntryType> = {
  CREDIT: 'income',
  DEP: 'income',
  DIRECTDEP: 'income',
  DIV: 'income',
  DEBIT: 'expense',
  DIRECTDEBIT: 'expense',
  CASH: 'expense',
  FEE: 'expense',
  SRVCHG: 'expense',
  DB: 'expense',
};
/** The direction by TRNTYPE, if the sign cannot change it. Some banks write words that OFX does not define. */
export function directionOfType(fields: Fields): EntryType | undefined {
  const type = transactionType(fields);
  return Object.hasOwn(DIRECTION_OF_TRNTYPE, type) ? DIRECTION_OF_TRNTYPE[type] : directionOf(type);
}

const ofxAmountText = ({ fields }: { fields: Fields }) => fields.get('TRNAMT') ?? '';

/**
 * The statements whose signs say nothing for certain: types do not agree with them, but for one, and a minus is not on most rows. Of a card,
 * types have to agree. If each row has a type, and none a minus, the types may say it.
 */
export function openStatements<S extends { isCard: boolean }>(items: readonly OfTransaction<S>[]): Set<S> {
  const transactions = items.filter(({ name }) => name === 'STMTTRN');
  const isOpen = ([{ isCard }, rows]: [S, OfTransaction<S>[]]) => {
    const typed = rows.filter(({ fields }) => directionOfType(fields));
    const agree = typed.filter(
      (row) => hasMinus(ofxAmountText(row)) === (directionOfType(row.fields) === 'expense'),
    );
    const contradict = typed.length - agree.length;
    const isSigned = rows.some((row) => hasMinus(ofxAmountText(row)));
    if (typed.length === rows.length) return contradict > 0 && !isSigned;
    if (agree.length > contradict && contradict <= 1) return false;
    const texts = rows.map((row) => ({ text: ofxAmountText(row), description: descriptionTextOf(row) }));
    const isPaidOff = texts.some(({ text, description }) => hasMinus(text) && isCardPayment(description));
    return isCard || isPaidOff || typed.length > agree.length || !isMinusOut(texts);
  };
  const byStatement = groupBy(transactions, ({ statement }) => statement);
  return new Set([...byStatement].filter(isOpen).map(([statement]) => statement));
}

const descriptionTextOf = ({ fields }: { fields: Fields }) =>
  ['NAME', 'MEMO'].map((tag) => fields.get(tag) ?? '').join(' ');

/** Whether each row of the open statements has a type with a direction: only then can the types answer. */
export const areTyped = <S>(items: readonly OfTransaction<S>[], open: ReadonlySet<S>) =>
  items.every(({ statement, fields }) => !open.has(statement) || directionOfType(fields));

/** @throws ImportError `unresolved_columns` */
export function requireSettledSigns<S extends { ends: { account: string } }>(
  items: readonly OfTransaction<S>[],
  open: ReadonlySet<S>,
): void {
  const amounts = items
    .filter(({ statement }) => open.has(statement))
    .map((item) => ({ text: ofxAmountText(item) }));
  if (amounts.length === 0) return;
  const accounts = items.map(({ statement }) => statement.ends.account);
  const question = signQuestion({ name: 'TRNAMT', columns: [] }, amounts);
  const choices = areTyped(items, open) ? [...question.choices, 'unsigned' as const] : question.choices;
  throw refusalOf([{ ...question, choices }], accounts);
}
