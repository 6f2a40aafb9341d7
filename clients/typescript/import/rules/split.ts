/** Splits a payment into parts, exactly: the parts with their signs always add up to the payment. docs/rules.md describes it. */
import { plainPounds } from '../../pounds.ts';
import type { EntryType } from '../options.ts';

/** The share of a part in the payment. The gross is the `rest`: the payment before deductions. */
export type Share =
  | { kind: 'amount'; pence: number }
  | { kind: 'percent'; millionths: number; of: 'payment' | 'gross' }
  | { kind: 'rest' };

export interface SharePart {
  share: Share;
  /** The type of the part; undefined for the type of the row. */
  type: EntryType | undefined;
  /** The category in the text of the rule: a key or a label. */
  category: string | undefined;
  isLeftOut: boolean;
}

export interface SplitPart {
  /** The position in the rule, from 1. */
  number: number;
  type: EntryType;
  /** The pence of the part without a sign, from 0. */
  pence: number;
  category: string | undefined;
  isLeftOut: boolean;
}

interface SplitPayment {
  type: EntryType;
  pence: number;
}

const WHOLE = 1_000_000n;

/** @returns the parts in the order of the rule, or the reason why no parts add up to the payment */
export function splitPayment(
  { type, pence }: SplitPayment,
  parts: readonly SharePart[],
): SplitPart[] | { problem: string } {
  const signOf = (part: SharePart) => sign(part.type ?? type);
  const payment = sign(type) * BigInt(pence);
  const amounts = parts.map(({ share }) => {
    if (share.kind === 'amount') return BigInt(share.pence);
    if (share.kind === 'percent' && share.of === 'payment')
      return roundedQuotient(BigInt(pence) * BigInt(share.millionths), WHOLE);
    return undefined;
  });
  const signed = () => parts.reduce((sum, part, index) => sum + signOf(part) * (amounts[index] ?? 0n), 0n);
  const restIndex = parts.findIndex(({ share }) => share.kind === 'rest');
  const rest = parts[restIndex];
  if (!rest) {
    if (signed() === payment) return checkedParts();
    return {
      problem: `the parts add up to ${plainPounds(signed())}, and the payment is ${plainPounds(payment)}`,
    };
  }

  const ofGross = parts.filter(isOfGross);
  if (ofGross.some((part) => signOf(part) === signOf(rest)))
    return { problem: 'a part of the gross is an expense of it, or income, whichever the rest is not' };
  // The sum of the rest and its parts: gross × (1 − the sum of the percentages).
  const net = signOf(rest) * (payment - signed());
  const left = WHOLE - ofGross.reduce((sum, { share }) => sum + BigInt(share.millionths), 0n);
  if (net < 0n) return { problem: `the parts are more than the payment of ${plainPounds(payment)}` };
  for (const [index, part] of parts.entries()) {
    if (isOfGross(part)) amounts[index] = roundedQuotient(net * BigInt(part.share.millionths), left);
  }
  // The rest takes the rounding difference.
  amounts[restIndex] = signOf(rest) * (payment - signed());
  return checkedParts();

  function checkedParts(): SplitPart[] | { problem: string } {
    if (amounts.some((amount = 0n) => amount > BigInt(Number.MAX_SAFE_INTEGER)))
      return { problem: 'a part is larger than an amount can be' };
    return parts.map(({ category, isLeftOut, type: own = type }, index) => ({
      number: index + 1,
      type: own,
      pence: Number(amounts[index]),
      category,
      isLeftOut,
    }));
  }
}

const sign = (type: EntryType) => (type === 'income' ? 1n : -1n);

export function isOfGross(
  part: SharePart,
): part is SharePart & { share: { kind: 'percent'; millionths: number } } {
  return part.share.kind === 'percent' && part.share.of === 'gross';
}

/** Half a penny is rounded up. @param dividend from 0 */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}
