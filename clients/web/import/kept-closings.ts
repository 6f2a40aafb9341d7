/** The closing balances in the rules, which this browser keeps for the account. Rules with a problem of their own, which the reader reports, have none. */

import type { Closings } from '../../typescript/import/chain/closings.ts';
import { ImportError } from '../../typescript/import/import-error.ts';
import { keptClosings, withKeptClosings } from '../../typescript/import/rules/kept-closings.ts';
import type { FileState } from './state.ts';

export const closingsOfRules = (rules: string): Closings =>
  unlessInvalid(() => keptClosings(rules)) ?? new Map();

export const rulesWithClosings = (rules: string, files: readonly Pick<FileState, 'balances'>[]): string =>
  unlessInvalid(() =>
    withKeptClosings(
      rules,
      files.flatMap(({ balances }) => balances),
    ),
  ) ?? rules;

export function unlessInvalid<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ImportError) return undefined;
    throw error;
  }
}
