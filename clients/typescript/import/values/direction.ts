/** The direction of rows, income or expense, for all formats. */
import type { EntryType } from '../options.ts';
import { type Evidence, quotedEvidence } from './evidence.ts';

// German and Dutch banks write Haben and Soll, bij and af.
const INCOME = 'income incoming moneyin paidin in credit cr c received receipt deposit haben h bij'.split(
  ' ',
);
const EXPENSE =
  'expense expenditure outgoing moneyout paidout out debit dr d spent sent withdrawal soll s af'.split(' ');
const ONLY_MINUS = /^[-\u2010-\u2015\u2212]$/;

/** The meaning of a word for income or expense. */
export function directionOf(text: string): EntryType | undefined {
  if (text === '+') return 'income';
  if (ONLY_MINUS.test(text)) return 'expense';
  const key = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const singular = key.endsWith('s') ? key.slice(0, -1) : key;
  if (INCOME.includes(key) || INCOME.includes(singular)) return 'income';
  return EXPENSE.includes(key) || EXPENSE.includes(singular) ? 'expense' : undefined;
}

/** Whether the texts of a column can be words for a direction. A dash is an empty cell, unless other cells have a plus. */
export const areWords = (texts: readonly string[]): boolean =>
  texts.includes('+') || !texts.some((text) => ONLY_MINUS.test(text));

/** The direction on which all evidence agrees. */
export function settleDirection(
  evidence: readonly Evidence<EntryType>[],
): { type: EntryType } | { problem: string } {
  const [first] = evidence;
  if (!first) return { problem: 'Neither a sign nor a word says that this is income, or an expense.' };
  const other = evidence.find(({ says }) => says !== first.says);
  if (!other) return { type: first.says };
  const [one, two] = [first, other].map((each) => `${quotedEvidence(each)} says ${each.says}`);
  return { problem: `The row contradicts itself: ${one}, and ${two}.` };
}

const CARD_PAYMENT =
  /\bpayment\b.{0,20}\bthank you\b|\bthank you for (?:your )?payment\b|^payment received\b/i;
/** Whether the issuer of a card has written the description, at a payment of the card. Then a minus shows that signs are reversed. */
export const isCardPayment = (description: string): boolean =>
  // Tells most texts apart at once.
  /payment/i.test(description) && CARD_PAYMENT.test(description);
