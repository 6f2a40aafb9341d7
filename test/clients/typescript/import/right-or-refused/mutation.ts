/** What mutations are made of. Each says, by the payments that it leaves in the rows, what may be read. */
import type { ModelFile, Row } from './model.ts';

import type { Random } from './random.ts';

export interface Mutation {
  name: string;
  /** Whether it can happen to the file. */
  fits: (file: ModelFile) => boolean;
  apply: (file: ModelFile, random: Random) => void;
}

export const has =
  (...fields: string[]) =>
  (file: ModelFile) =>
    fields.every((field) => file.columns.some((column) => column.field === field));
export const isFormat =
  (...formats: ModelFile['format'][]) =>
  (file: ModelFile) =>
    formats.includes(file.format);
export const isTable = isFormat('csv', 'xlsx');
export const isCsv = isFormat('csv');
export const isPlainCsv = (file: ModelFile) => isCsv(file) && !['starling', 'lloyds'].includes(file.layout);
export const both =
  (...conditions: ((file: ModelFile) => boolean)[]) =>
  (file: ModelFile) =>
    conditions.every((holds) => holds(file));

/** The row is no payment any more, or nobody can know of which amount. */
export const forget = (row: Row) => {
  row.payment = undefined;
};
/** The row may be read rightly, or not at all. */
export const allow = (file: ModelFile, row: Row) => {
  if (row.payment) file.optional.push(row.payment);
  forget(row);
};
export const anyRow = (file: ModelFile, random: Random) => random.pick(file.rows);
/** Further elements of the record. */
export const addRaw = ({ fields }: Row, raw: string) => {
  fields.raw = (fields.raw ?? '') + raw;
};
export const forgetAll = (file: ModelFile) => file.rows.forEach(forget);
export const addColumn = (file: ModelFile, field: string, name: string, value: (row: Row) => string) => {
  file.columns.push({ field, name });
  for (const row of file.rows) row.fields[field] = value(row);
};
export const addRow = (file: ModelFile, fields: Record<string, string>) =>
  file.rows.push({ fields, payment: undefined });

export const amountOf = (file: ModelFile) =>
  file.rows.reduce((sum, { payment }) => sum + (payment?.pence ?? 0), 0);
export const date = (file: ModelFile) => `${file.rows.at(-1)?.fields.date}`;
