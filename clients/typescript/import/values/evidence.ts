/** Evidence in a file about a fact of a row: a sign, a word, the name of a column, a code, a heading. Descriptions do not count. */
export interface Evidence<T> {
  says: T;
  /** The column, field or line that says so. */
  column: string;
  /** The text in the file that says so. */
  text: string;
  /** It may be about something else: it can contradict others, but settles nothing. */
  isHint?: boolean;
  /** A person has said it of all rows with this text: a minus takes the payment back. */
  isOfText?: boolean;
}

const QUOTED_LENGTH = 60;

/** The evidence in messages, such as `TRNTYPE "DEBIT"`. */
export const quotedEvidence = ({ column, text }: Pick<Evidence<unknown>, 'column' | 'text'>) =>
  `${column} "${text.slice(0, QUOTED_LENGTH).toWellFormed()}"`;
