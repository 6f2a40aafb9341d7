/** The fault of a file that the ledger has written and reads again: a report, figures, or decisions. */

/** The message is the end of a sentence that begins with the name of the file. */
export class OwnFileError extends Error {
  override readonly name = 'OwnFileError';
}
