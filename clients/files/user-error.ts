/** An error that a person can correct: one sentence, never a stack trace. */
export class UserError extends Error {
  constructor(
    message: string,
    /** The error code for programs. */
    readonly code = 'usage',
    /** More lines for the user. */
    readonly details: readonly string[] = [],
    /** More members of the error in the document for programs. */
    readonly facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}
