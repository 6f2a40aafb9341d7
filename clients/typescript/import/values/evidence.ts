/** Evidence in a file about a fact of a row: a sign, a word, the name of a column, a code, a heading. Descriptions do not count. */
export interface Evidence<T> {
  says: T;
  /** Its column, field or line. */
  column: string;
  /** The text in the file. */
  text: string;
  /** It may be about something else: it can contradict others, but settles nothing. */
  isHint?: boolean;
  /** A person has said it of all rows with this text: a minus takes the payment back. */
  isOfText?: boolean;
}

const QUOTED_LENGTH = 60;

/** `TRNTYPE "DEBIT"`. */
export const quotedEvidence = ({ column, text }: Pick<Evidence<unknown>, 'column' | 'text'>) =>
  `${column} "${text.slice(0, QUOTED_LENGTH).toWellFormed()}"`;
