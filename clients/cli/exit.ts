/** Exit codes of `ledger`, and the errors that carry them. Any other `UserError` is one of usage. */
import { UserError } from '../settings/user-error.ts';

export const EXIT = {
  /** Success; after a push, every entry is stored. */
  OK: 0,
  /** The service refused the request or cannot be reached. */
  SERVICE: 1,
  /** The command line or the file cannot be understood. */
  USAGE: 2,
  /** Some rows are invalid; nothing was sent. */
  INVALID_ROWS: 3,
  /** The push stopped early; the same command continues it. */
  STOPPED: 4,
  /** Every entry is stored, but some differ from the file, or are in another source. */
  CONFLICTS: 5,
  /** `reconcile`: not all is accounted for. `conformance`: a rule is broken. */
  DIFFERENT: 6,
  /** Success as with 0, but the report or standard output cannot be written. */
  NO_REPORT: 7,
  /** Rows that are probably known or corrected wait for a decision, and were not sent. */
  PROBABLY_KNOWN: 8,
  /** Rows are not stored: their references belong to other entries. All others are stored. */
  REFERENCE_TAKEN: 9,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a sentence for the user, and an exit code of its own. */
export class CliError extends UserError {
  constructor(
    readonly exitCode: ExitCode,
    ...details: ConstructorParameters<typeof UserError>
  ) {
    super(...details);
  }
}

export const usageError = (message: string) => new CliError(EXIT.USAGE, message);
