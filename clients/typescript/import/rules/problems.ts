/** The problems of a row because of its rule, or of the options about its amounts. */

import type { EntryType } from '../options.ts';
import type { InvalidRow } from '../result.ts';
import type { ParsedRow, RowProblem } from '../rows/parsed-row.ts';
import type { CategoryReader } from './category.ts';

export const ASKS = {
  field: 'source',
  message: 'asks where this row belongs: choose a property or business, or leave it out.',
} as const;

export function ruledCategory(
  category: string,
  type: EntryType,
  line: number | undefined,
  reader: CategoryReader,
): { key: string } | { problem: RowProblem } {
  const read = reader.read(category, type);
  if ('key' in read) return read;
  const message = `Line ${line} of the rules: ${read.problem}`;
  return { problem: { field: 'category', column: 'category', value: category, message, option: 'rules' } };
}

/** The problem of a row because of its rule. */
export function ruleProblem(
  { description }: Pick<ParsedRow, 'description'>,
  line: number | undefined,
  { field, message }: Required<Pick<RowProblem, 'field' | 'message'>>,
): { problem: RowProblem } {
  const separator = message.startsWith('asks') ? '' : ':';
  return {
    problem: {
      field,
      column: 'rules',
      value: description,
      option: 'rules' as const,
      message: `Line ${line} of the rules${separator} ${message}`,
    },
  };
}

/** The problem of a name that an option gives an amount. */
export const wrongAmount = (
  field: 'category' | 'source',
  value: string,
  message: string,
): { problem: RowProblem } => ({ problem: { field, column: field, value, message, option: 'amounts' } });

/** Whether nothing decides about the source of a row: rules, or a person in the row, have to. */
export const isWithoutSource = ({ field, option }: Pick<InvalidRow, 'field' | 'option'>): boolean =>
  field === 'source' && option === 'rules';
