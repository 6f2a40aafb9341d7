/** Finds a column by the name that an option has. */
import { headerKey } from '../files/cells.ts';

/** The index of a column by name, else by 1-based number; undefined for the empty name, -1 if there is no such column. */
export function columnIndex(name: string, keys: readonly string[], count: number): number | undefined {
  if (name.trim() === '') return undefined;
  const byName = keys.indexOf(headerKey(name));
  if (byName !== -1 && headerKey(name) !== '') return byName;
  const number = /^\d+$/.test(name.trim()) ? Number(name) : 0;
  return number >= 1 && number <= count ? number - 1 : -1;
}

/** The indexes of all columns with the name, or of the one with the 1-based number. */
export function columnsNamed(name: string, keys: readonly string[]): number[] {
  const index = columnIndex(name, keys, keys.length) ?? -1;
  const key = headerKey(name);
  return keys.flatMap((each, at) => (at === index || (key !== '' && each === key) ? [at] : []));
}
