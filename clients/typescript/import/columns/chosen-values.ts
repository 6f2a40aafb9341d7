/** The meanings that a person has given to the values of columns. */
import { headerKey } from '../files/cells.ts';
import { ImportError, type ImportOptions, type Meaning } from '../options.ts';
import { columnIndex } from './chosen-columns.ts';

/** By the text as `valueKey` writes it. */
export type ChosenValues = ReadonlyMap<string, Meaning>;

/** Case and spaces at the ends do not count. */
const valueKey = (text: string) => text.trim().toLowerCase();

export const meaningOf = (chosen: ChosenValues, text: string): Meaning | undefined =>
  chosen.get(valueKey(text));

/** By the index of the column. @throws ImportError `unknown_column` */
export function chosenValues(
  header: readonly string[],
  width: number,
  { values = {} }: ImportOptions,
): Map<number, ChosenValues> {
  const keys = header.map(headerKey);
  return new Map(
    Object.entries(values).map(([name, meanings]) => {
      const index = columnIndex(name, keys, width) ?? -1;
      if (index === -1) {
        const message = `There is no column "${name.slice(0, 100)}", whose values have a meaning.`;
        throw new ImportError('unknown_column', message, 'values');
      }
      return [index, new Map(Object.entries(meanings).map(([text, meaning]) => [valueKey(text), meaning]))];
    }),
  );
}
