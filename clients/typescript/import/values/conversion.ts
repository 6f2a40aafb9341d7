/** Amounts of other currencies in pounds: exact decimal arithmetic, rounded half up to the penny. */
import { plainPounds } from '../../pounds.ts';

/** A rate of the file of rates. */
export interface Rate {
  /** A decimal number above 0, without zeros at its ends. */
  text: string;
  /** Pounds per unit, or units per pound. */
  per: 'unit' | 'pound';
}

/** Returns the text of a rate without redundant zeros; undefined if it is no rate. */
export function rateText(text: string): string | undefined {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,12}))?$/.exec(text) ?? [];
  if (whole === undefined || !/[1-9]/.test(text)) return undefined;
  const digits = fraction.replace(/0+$/, '');
  return `${BigInt(whole)}${digits === '' ? '' : `.${digits}`}`;
}

/** Converts hundredths of a unit to pence. Half a penny is rounded up. */
export function penceAt(hundredths: number, { text, per }: Rate): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  const digits = BigInt(whole + fraction);
  const scale = 10n ** BigInt(fraction.length);
  const [factor, divisor] = per === 'unit' ? [digits, scale] : [scale, digits];
  return (2n * BigInt(hundredths) * factor + divisor) / (2n * divisor);
}

/** The suffix of an entry's description: `EUR 850.00 at 0.8612 GBP per EUR`. */
export function conversionText(currency: string, hundredths: number, { text, per }: Rate): string {
  const units = per === 'unit' ? `GBP per ${currency}` : `${currency} per GBP`;
  return `${currency} ${plainPounds(hundredths)} at ${text} ${units}`;
}

const CONVERSION = /(?:^| - )([A-Z]{3}) (\d+\.\d\d) at \d+(?:\.\d+)? (?:GBP per \1|\1 per GBP)$/;

/** The description in the file, without the suffix. */
export const withoutConversion = (description: string): string => description.replace(CONVERSION, '');

/** The amount in the file, in hundredths of the unit of its currency; undefined for an amount in pounds. */
export function originalOf(description: string): { currency: string; pence: number } | undefined {
  const [, currency, amount = ''] = CONVERSION.exec(description) ?? [];
  return currency === undefined ? undefined : { currency, pence: Number(amount.replace('.', '')) };
}
