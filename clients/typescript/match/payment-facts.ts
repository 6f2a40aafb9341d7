/** The facts of a payment: two records of it are equal in them, or near. */
import { daysBetween } from '../days.ts';
import { withoutConversion } from '../import/values/conversion.ts';
import { signedPence } from '../pounds.ts';

/** The largest distance in days of two records of a payment. Bank holidays move a payment by four days. */
export const DAYS_APART_MAX = 5;

export interface PaymentFacts {
  /** YYYY-MM-DD. */
  date: string;
  /** The amount, negative for an expense. */
  pence: number;
  /** The description as `descriptionKey` compares it. */
  text: string;
  /** The whole amount, and others that another record of the payment may have: a person may have stored one part alone. */
  amounts?: readonly number[];
}

/** The amount of an entry in pence, negative for an expense. */
export const signed = ({ type, amountPence }: { type: string; amountPence: number }): number =>
  signedPence({ type, pence: amountPence });

/** The sum of entries in pence, income less expense. */
export const signedSum = (parts: readonly { type: string; amountPence: number }[]): number =>
  parts.reduce((sum, part) => sum + signed(part), 0);

/**
 * The description without case, spaces, dashes and the rate of its amount. An earlier version of the reader put dashes into words, and a
 * person may correct an amount or a rate.
 */
export const descriptionKey = (description: string): string =>
  withoutConversion(description)
    .toLowerCase()
    .replace(/[\s-]+/g, '');

/** A text that is equal for equal payments. */
export const factKey = ({ date, pence, text }: PaymentFacts) => `${date} ${pence} ${text}`;

/** Whether two records have one amount or one description, within some days. */
export const isNear = (one: PaymentFacts, other: PaymentFacts) =>
  (isOneOfAmounts(one, other.pence) ||
    isOneOfAmounts(other, one.pence) ||
    (one.text === other.text && one.text !== '')) &&
  daysBetween(one.date, other.date) <= DAYS_APART_MAX;

const isOneOfAmounts = ({ pence, amounts = [pence] }: PaymentFacts, amount: number) =>
  amounts.includes(amount);
