/** The error of the reader for an unreadable file, or for options that do not fit it. */

import type { ImportOptionName } from './options.ts';
import type { Question } from './questions-and-answers.ts';
import type { RefusedTable } from './result.ts';

type ImportErrorCode =
  | 'unreadable_file'
  | 'unknown_sheet'
  | 'several_sheets'
  | 'unknown_bank'
  | 'unknown_column'
  | 'unknown_category'
  | 'no_header'
  | 'unresolved_columns'
  | 'ambiguous_dates'
  | 'other_currency'
  | 'invalid_option'
  | 'invalid_rates'
  | 'invalid_rules';

/** An unreadable file, or an option that does not fit it. The message is one sentence. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  /** The table of the file, with its first rows: a person chooses the columns in it. */
  table?: RefusedTable;
  /** All that the file leaves open, with the code `unresolved_columns`. */
  questions?: readonly Question[];
  /** With `questions`, in formats without columns: the accounts that the file names. */
  accounts?: readonly string[];
  /** With `questions`: why kept answers do not settle them. The message ends in it. */
  keptNote?: string;

  constructor(
    readonly code: ImportErrorCode,
    message: string,
    /** The option that settles the question. */
    readonly option?: ImportOptionName,
  ) {
    super(message);
  }
}
