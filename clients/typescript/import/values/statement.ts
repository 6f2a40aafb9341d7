/** Something in a file that speaks of a fact of a row: a sign, a word, the name of a column, a code, a heading. A description does not. */
export interface Statement<T> {
  says: T;
  /** The column, the field or the line that it is in. */
  column: string;
  /** As the file has it. */
  text: string;
  /** It may be about something else: it can contradict, and settles nothing. */
  isHint?: boolean;
}

const QUOTED_LENGTH = 60;

/** `TRNTYPE "DEBIT"`. */
export const quoted = ({ column, text }: Pick<Statement<unknown>, 'column' | 'text'>) =>
  `${column} "${text.slice(0, QUOTED_LENGTH).toWellFormed()}"`;
