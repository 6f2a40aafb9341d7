/** Finds columns by their names in options, and names them for options, messages and problems of rows. */
import { cleanText, headerKey } from '../files/cells.ts';

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

/** The name of a column for options: its number if the name has no letter, or is not unique. */
export function nameForOptions(header: readonly string[], index: number): string {
  const key = headerKey(header[index] ?? '');
  const isUnique = key !== '' && header.filter((name) => headerKey(name) === key).length === 1;
  return isUnique ? cleanText(header[index] ?? '') : String(index + 1);
}

/** The column in messages: by its name, or by its number and its name if that is not unique. */
export function labelOf(header: readonly string[], index: number): string {
  const name = cleanText(header[index] ?? '')
    .slice(0, NAME_SHOWN)
    .toWellFormed();
  if (nameForOptions(header, index) !== String(index + 1)) return `"${name}"`;
  return name === '' ? `Column ${index + 1}` : `Column ${index + 1}, "${name}",`;
}
const NAME_SHOWN = 60;

/** The column of a problem: the text of its header, or its number in a table without one. */
export const columnOfProblem = (header: readonly string[], index: number | undefined): string =>
  index === undefined ? '' : (header[index] ?? String(index + 1));

/** The column as the name of an amount, without quotes. */
export const nameOfAmount = (header: readonly string[], index: number): string =>
  header[index] || `column ${index + 1}`;
