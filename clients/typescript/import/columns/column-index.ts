/** Finds a column by the name that an option has. */
import { headerKey } from '../files/cells.ts';

/** The index of a column by name, else by 1-based number; undefined for the empty name, -1 if there is no such column. */
export function columnIndex(name: string, keys: string[], count: number): number | undefined {
  if (name.trim() === '') return undefined;
  const byName = keys.indexOf(headerKey(name));
  if (byName !== -1 && headerKey(name) !== '') return byName;
  const number = /^\d+$/.test(name.trim()) ? Number(name) : 0;
  return number >= 1 && number <= count ? number - 1 : -1;
}
