/**
 * The references of the parts of a row. The first part of a split row has the reference of the row, and the others append their numbers; in
 * earlier versions the first part had its number too.
 */
import { PARTS_MAX } from '../import/options.ts';

const PART_NUMBERS = Array.from({ length: PARTS_MAX }, (_, index) => index + 1);
const PART_END = new RegExp(`#(?:${PART_NUMBERS.join('|')})$`);

/** The reference of the row, from the reference of a part. */
export const rowOfPart = (reference: string) => reference.replace(PART_END, '');

/** The number of a part; 1 for a first part, or a whole row. */
export const partNumber = (reference: string) => Number(PART_END.exec(reference)?.[0].slice(1) ?? 1);

/** Whether a reference ends with the number of a part. */
export const isPartReference = (reference: string) => PART_END.test(reference);

/** The possible references of a whole row and of its parts, by the reference of the row. */
export const partReferences = (reference: string) => [
  reference,
  ...PART_NUMBERS.map((number) => `${reference}#${number}`),
];
