/** The refusal of a file that leaves something open. */

import { ImportError } from '../import-error.ts';
import type { Question } from '../questions-and-answers.ts';

const QUESTIONS_SHOWN = 10;

/** One sentence for each question. @param accounts of a format without columns */
export function refusalOf(questions: readonly Question[], accounts?: readonly string[]): ImportError {
  const shown = questions.slice(0, QUESTIONS_SHOWN).map(({ message }) => message);
  const more = questions.length - shown.length;
  const last = more > 0 ? ` And ${more} more.` : '';
  const error = new ImportError(
    'unresolved_columns',
    `The file leaves something open. ${shown.join(' ')}${last}`,
    'map',
  );
  error.questions = questions;
  if (accounts) error.accounts = [...new Set(accounts)];
  return error;
}
