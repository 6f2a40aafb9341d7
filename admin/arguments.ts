/** Reads the arguments of options. */
import { InvalidArgumentError } from 'commander';
import { isUuid } from '../proto/domain.ts';

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  return Number(text);
}

export function uuid(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError('expected the id of an account');
  return text.toLowerCase();
}

export function percent(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 100))
    throw new InvalidArgumentError('expected 0 to 100');
  return value;
}
