/** The parts that mutations of records are made of. */
import type { ModelFile, Row } from './model.ts';
import { addRaw, anyRow, forget, forgetAll, isFormat, type Mutation } from './mutation.ts';
import type { Random } from './random.ts';

export const unsigned = (text = '') => text.replace('-', '');
export const expense = (file: ModelFile) => file.rows.find(({ payment }) => (payment?.pence ?? 0) < 0);
export const hasExpense = (file: ModelFile) => expense(file) !== undefined;
export const hasNoIds = (file: ModelFile) => file.rows.every(({ fields }) => fields.FITID === undefined);
export const change = (file: ModelFile, from: string | RegExp, to: string) =>
  file.changesOfText.push((text) => text.replace(from, () => to));

/** After all other changes. */
export const again = (file: ModelFile, twice: (text: string) => string) => {
  const { encode } = file;
  file.encode = (text) => encode(twice(text));
};

/** The fields of one row become others, and nobody can know its amount. */
export const ofRow = (
  name: string,
  format: ModelFile['format'],
  fields: (row: Row, random: Random) => Record<string, string>,
): Mutation => ({
  name,
  fits: isFormat(format),
  apply: (file, random) => {
    const row = anyRow(file, random);
    const { raw = '', ...others } = fields(row, random);
    Object.assign(row.fields, others);
    addRaw(row, raw);
    forget(row);
  },
});
/** The text of the file changes. */
export const ofText = (
  name: string,
  format: ModelFile['format'],
  from: string | RegExp,
  to: string,
  isKnown = false,
): Mutation => ({
  name,
  fits: isFormat(format),
  apply: (file) => {
    change(file, from, to);
    if (!isKnown) forgetAll(file);
  },
});
