/** The fault of a file of the ledger or of its user: a report, figures, decisions, rules, or rates. */

/** The message is the end of a sentence that begins with the name of the file. */
export class OwnFileError extends Error {
  override readonly name = 'OwnFileError';
}
