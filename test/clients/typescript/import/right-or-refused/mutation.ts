/** What mutations are made of. Each says, by the payments that it leaves in the rows, what may be read. */
import type { Random } from '../../../../faults/random.ts';
import type { Fields, ModelFile, Row } from './model.ts';

type Fits = (file: ModelFile) => boolean;

export interface Mutation {
  name: string;
  /** Whether it can happen to the file. */
  fits: Fits;
  apply: (file: ModelFile, random: Random) => void;
}

export const both =
  (...conditions: Fits[]): Fits =>
  (file) =>
    conditions.every((holds) => holds(file));
export const has =
  (...fields: string[]): Fits =>
  (file) =>
    fields.every((field) => file.columns.some((column) => column.field === field));
export const hasNo =
  (field: string): Fits =>
  (file) =>
    !has(field)(file);
/** Formats and layouts, apart by bars. */
export const is =
  (names: string): Fits =>
  ({ format, layout }) =>
    names.split('|').some((name) => name === format || name === layout);
export const isPlainCsv = both(is('csv'), (file) => !is('starling|lloyds')(file));
export const isWhole: Fits = ({ rows }) => rows.every(({ payment }) => payment);
export const hasRows =
  (count: number): Fits =>
  ({ rows }) =>
    rows.length >= count;

/** The row is no payment any more, or nobody can know of which amount. */
export const forget = (row: Row) => {
  row.payment = undefined;
};
/** The row may be read rightly, or not at all. */
export const allow = (file: ModelFile, row: Row) => {
  if (row.payment) file.optional.push(row.payment);
  forget(row);
};
export const amountOf = (file: ModelFile) =>
  file.rows.reduce((sum, { payment }) => sum + (payment?.pence ?? 0), 0);
export const cellsOf = (
  { columns }: ModelFile,
  { fields }: Row,
  change = (_: string, text: string) => text,
) => columns.map(({ field }) => change(field, fields[field] ?? ''));
export const addColumn = (file: ModelFile, field: string, name: string, value: (row: Row) => string) => {
  file.columns.push({ field, name });
  for (const row of file.rows) row.fields[field] = value(row);
};

/** Which payments can still be known: all, or none of those that changed. */
type Effect = 'known' | 'unknown';

/** One row gets other fields. */
export const ofRow = (
  name: string,
  fits: Fits,
  change: (fields: Fields, random: Random, file: ModelFile, row: Row) => Fields,
  { effect = 'unknown' as Effect, which = (_: Row): boolean => true } = {},
): Mutation => ({
  name,
  fits: both(fits, ({ rows }) => rows.some(which)),
  apply: (file, random) => {
    const row = random.pick(file.rows.filter(which));
    Object.assign(row.fields, change(row.fields, random, file, row));
    if (effect === 'unknown') forget(row);
  },
});

/** The file changes, and all of its rows. */
export const ofFile = (
  name: string,
  fits: Fits,
  change: (file: ModelFile, random: Random) => void,
  effect: Effect = 'unknown',
): Mutation => ({
  name,
  fits,
  apply: (file, random) => {
    change(file, random);
    if (effect === 'unknown') file.rows.forEach(forget);
  },
});

export const ofAllRows = (
  name: string,
  fits: Fits,
  change: (fields: Fields, index: number) => Fields,
  effect: Effect = 'unknown',
): Mutation =>
  ofFile(
    name,
    fits,
    ({ rows }) => {
      for (const [index, { fields }] of rows.entries()) Object.assign(fields, change(fields, index));
    },
    effect,
  );

export const ofText = (
  name: string,
  fits: Fits,
  change: (text: string) => string,
  effect: Effect = 'known',
): Mutation => ofFile(name, fits, ({ changesOfText }) => changesOfText.push(change), effect);

/** A further column, with another value in one row. */
export const ofColumn = (
  [field, name]: [field: string, name: string],
  usual: string,
  value = usual,
  fits = both(isPlainCsv, hasNo(field)),
): Mutation => ({
  name: `a column ${name} with ${value} in one row`,
  fits,
  apply: (file, random) => {
    const row = random.pick(file.rows);
    addColumn(file, field, name, (each) => (each === row ? value : usual));
    if (value !== usual) forget(row);
  },
});

/** A further row that is no payment. */
export const ofNewRow = (
  name: string,
  fits: Fits,
  fields: (file: ModelFile, random: Random) => Fields,
): Mutation => ({
  name,
  fits,
  apply: (file, random) => void file.rows.push({ fields: fields(file, random), payment: undefined }),
});
