/** The meaning of the signs of a list of amounts, for all formats: a minus is money out, or the person is asked. */
import { hasMinus } from './amounts.ts';
import { isCardPayment } from './direction.ts';

export interface SignedText {
  /** The text of the amount in the file. */
  text: string;
  description: string;
}

/** A name or a line that may be of a card or a loan, where what is spent may have no sign. It raises a question and answers none. */
const CARD_OR_LOAN =
  /card|loan|mortgage|visa|amex|american express|credit (?:limit|account)|minimum payment|overdraft/i;
export const namesCardOrLoan = (text: string): boolean => CARD_OR_LOAN.test(text.replace(/[_-]/g, ' '));

/** Whether an account is named by the number of a card, perhaps with hidden digits. A sort code and an account number have 14 digits. */
export const isCardNumber = (account: string): boolean =>
  /^[\d*x#•]{15,19}$/i.test(account.replace(/[ -]/g, ''));

/** Texts for money that came in. A minus beside them in most rows shows that a minus is no money out. */
const CAME_IN = /\b(?:received|refund(?:ed)?|thank you|credit|cashback|reversal)\b/i;

/**
 * Whether a minus is money out: most amounts have one, at least two of them. A minus on few rows, or on none, is no evidence. Neither is a
 * minus beside texts for money in.
 */
export function isMinusOut(amounts: readonly SignedText[]): boolean {
  const filled = withoutZeros(amounts);
  const minus = filled.filter(({ text }) => hasMinus(text));
  const cameIn = minus.filter(({ description }) => CAME_IN.test(description) || isCardPayment(description));
  return minus.length >= 2 && minus.length * 2 > filled.length && cameIn.length * 2 < minus.length;
}

/** Whether each amount says its direction in letters: CR or DR. */
export function isInLetters(amounts: readonly SignedText[]): boolean {
  const filled = withoutZeros(amounts);
  return filled.length > 0 && filled.every(({ text }) => /^(?:cr|dr)\b|(?:cr|dr)\.?$/i.test(text.trim()));
}

const withoutZeros = (amounts: readonly SignedText[]) => amounts.filter(({ text }) => /[1-9]/.test(text));
