/** Exit codes of `ledger`, and the errors that carry them. Any other `UserError` is one of usage. */
import { CommanderError } from 'commander';
import { UserError } from '../files/user-error.ts';
import { ImportError } from '../typescript/import/index.ts';
import { LedgerError } from '../typescript/index.ts';

export const EXIT = {
  /** Success; after a push, every entry is stored. */
  OK: 0,
  /** The service refused the request or cannot be reached. */
  SERVICE: 1,
  /** The command line or the file cannot be understood. */
  USAGE: 2,
  /** Some rows are invalid, or a date is unlikely; nothing was sent. */
  INVALID_ROWS: 3,
  /** The push stopped early; the same command continues it. */
  STOPPED: 4,
  /** Every entry is stored, but some differ from the file, or are in another source. */
  CONFLICTS: 5,
  /** `reconcile`: not all is accounted for. `conformance`: a rule is broken. */
  DIFFERENT: 6,
  /** Success as with 0, but the report or standard output cannot be written. */
  NO_REPORT: 7,
  /** Rows wait for a decision, and were not sent: they are probably known or corrected, or the books have changed since the preview. */
  UNDECIDED: 8,
  /** Rows are not stored: their references belong to other entries. All others are stored. */
  REFERENCE_TAKEN: 9,
} as const;

/** The meaning of each code, in the help of the command. */
const EXIT_TEXTS: Record<keyof typeof EXIT, string> = {
  OK: 'done',
  SERVICE: 'service refused or unreachable',
  USAGE: 'usage',
  INVALID_ROWS: 'invalid rows',
  STOPPED: 'stopped before the end',
  CONFLICTS: 'conflicts',
  DIFFERENT: 'not reconciled or a rule is broken',
  NO_REPORT: 'no report',
  UNDECIDED: 'rows wait for a decision',
  REFERENCE_TAKEN: 'reference taken',
};

export const EXIT_CODES = Object.entries(EXIT)
  .map(([name, code]) => `${code} ${EXIT_TEXTS[name as keyof typeof EXIT]}`)
  .join(', ');

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

/** The error of a command line or a file that cannot be understood. */
export const usageError = (message: string) => new CliError(EXIT.USAGE, message);

/** Any error as one sentence with an exit code. */
export function asCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof UserError)
    return new CliError(EXIT.USAGE, error.message, error.code, error.details, error.facts);
  if (error instanceof ImportError) return new CliError(EXIT.USAGE, error.message, error.code);
  if (error instanceof CommanderError) {
    const isWithoutCommand = error.code === 'commander.help';
    // A suggestion has a line of its own.
    const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
    return usageError(isWithoutCommand ? 'Name a command: `ledger --help` lists them.' : message);
  }
  if (error instanceof LedgerError) {
    // A value that the user typed, such as a date.
    const exitCode =
      error.code === 'invalid_query' || error.code === 'invalid_source_type' ? EXIT.USAGE : EXIT.SERVICE;
    const issues = error.issues.map(({ path, message }) => ` ${path.slice(1)} ${message}.`).join('');
    const isWrongAddress = error.code === 'unreachable' || error.code === 'unexpected_response';
    const advice = isWrongAddress ? ' LEDGER_URL, or --url of `ledger login`, sets the address.' : '';
    return new CliError(exitCode, `${error.message}${issues}${advice}`, error.code);
  }
  return new CliError(EXIT.SERVICE, `Unexpected: ${(error as Error)?.message ?? error}`, 'unexpected');
}
