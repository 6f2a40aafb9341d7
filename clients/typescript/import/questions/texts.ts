/** Questions and their answers, in words. */
import type { Choice, Question } from '../questions-and-answers.ts';

const LISTED_MAX = 8;

const CHOICE_TEXTS: Readonly<Record<Choice, string>> = {
  amount: 'the amount of a bank account: a minus is money out',
  spent: 'money out, and a minus is money back, as on a card',
  unsigned: 'an amount whose direction another column or a line of text gives',
  moneyIn: 'money in',
  moneyOut: 'money out',
  balance: 'the balance after the row',
  check: 'money in: the sum of the other amounts of the row',
  date: 'the date of the row',
  description: 'text of the description',
  category: 'the category',
  type: 'the direction of each row',
  reference: 'the reference',
  source: 'the property or business',
  ignore: 'not read',
  in: 'money in',
  out: 'money out',
  skip: 'no payment to store',
  keep: 'payments like the others',
  pounds: 'the amounts are in pounds',
  pence: 'the amounts are in pence',
};

/** The meaning of a choice, in words. */
export const choiceText = (choice: Choice): string => CHOICE_TEXTS[choice];

/** The question with its rows. The message has its values. */
export function questionText({ message, rows, kind }: Question): string {
  return rows.length > 0 && kind !== 'heading' ? `${message} (rows ${listed(rows)})` : message;
}

function listed(items: readonly number[]): string {
  const more = items.length - LISTED_MAX;
  return `${items.slice(0, LISTED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
