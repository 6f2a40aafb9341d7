/** The meanings that a person has given to the values of columns. */

import type { Meaning } from '../choices.ts';
import { headerKey } from '../files/cells.ts';
import { ImportError } from '../import-error.ts';
import type { ImportOptions } from '../options.ts';
import { columnIndex } from './column-names.ts';

/** By the text as `valueKey` writes it. */
export type ChosenValues = ReadonlyMap<string, Meaning>;

/** Case and spaces at the ends do not count. */
const valueKey = (text: string) => text.trim().toLowerCase();

export const meaningOf = (chosen: ChosenValues, text: string): Meaning | undefined =>
  chosen.get(valueKey(text));

/** By the index of the column, which may have a name and a number. @throws ImportError `unknown_column` */
export function chosenValues(
  header: readonly string[],
  width: number,
  { values = {} }: ImportOptions,
): Map<number, ChosenValues> {
  const keys = header.map(headerKey);
  const chosen = new Map<number, Map<string, Meaning>>();
  for (const [name, meanings] of Object.entries(values)) {
    const index = columnIndex(name, keys, width) ?? -1;
    if (index === -1) {
      const message = `There is no column "${name.slice(0, 100)}", whose values have a meaning.`;
      throw new ImportError('unknown_column', message, 'values');
    }
    const ofColumn = chosen.get(index) ?? new Map<string, Meaning>();
    chosen.set(index, ofColumn);
    for (const [text, meaning] of Object.entries(meanings)) ofColumn.set(valueKey(text), meaning);
  }
  return chosen;
}
