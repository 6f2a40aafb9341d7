/** Shared by the commands: the connection, the output, the choice of a source and its books. */

import type { Io } from '../settings/io.ts';
import { type ConnectionOptions, currentProfile } from '../settings/profiles.ts';
import { sourceIn } from '../settings/sources.ts';
import type { Period } from '../typescript/days.ts';
import { type Account, Ledger, type LedgerOptions, type Source } from '../typescript/index.ts';
import { type Books, readBooks } from '../typescript/match/stored-books.ts';
import { CliError, EXIT } from './exit.ts';
import { createOutput, type Output } from './output.ts';
import { createProgressLine, printPause } from './progress.ts';
import type { WaitOptions } from './waits.ts';

export interface GlobalOptions extends ConnectionOptions, WaitOptions {
  io: Io;
  json?: boolean;
}

/** Options of a command that reads the entries of a source. */
export interface EntriesOptions extends GlobalOptions, Period {
  source: string;
}

interface Context {
  ledger: Ledger;
  output: Output;
}

/** @throws CliError without an API key for this service */
export function connect(options: GlobalOptions): Context {
  const profile = currentProfile(options);
  return {
    ledger: newLedger(options, profile),
    output: createOutput(options),
  };
}

/** Its reads report an unavailable service soon. Pushes retry for longer. */
export const newLedger = ({ io, pauseMax, limitTimeout }: GlobalOptions, connection: LedgerOptions): Ledger =>
  new Ledger({
    ...connection,
    retryTimeoutMs: 5_000,
    pauseMsMax: pauseMax,
    limitTimeoutMs: limitTimeout,
    onPause: (pause) => printPause(io, pause),
  });

/** Lines of `login` and `whoami` about a key that reads only. */
export function keyNotes({ capabilities }: Account): string[] {
  return capabilities.writeBookkeeping
    ? []
    : ['The key reads only: `ledger push` needs a key that can write.'];
}

/** @throws CliError if the key of the profile reads only */
export async function requireWritingKey(ledger: Ledger): Promise<void> {
  const { capabilities } = await ledger.me();
  if (capabilities.writeBookkeeping) return;
  throw new CliError(
    EXIT.SERVICE,
    'Nothing was sent: this API key reads only. Log in with a key that can write, or add --dry-run to compare the file with the books.',
    'read_only_key',
  );
}

/** @throws UserError as sourceIn does */
export async function findSource(ledger: Ledger, nameOrId: string): Promise<Source> {
  return sourceIn(await ledger.sources(), nameOrId);
}

/** Reads the books of these sources in this period. The terminal shows the number of entries. */
export async function booksOf(
  ledger: Ledger,
  sources: readonly Source[],
  options: GlobalOptions,
  period: Period = {},
): Promise<Books> {
  const progress = createProgressLine(options);
  try {
    return await readBooks(ledger, sources, { ...period, onProgress: progress.reading });
  } finally {
    progress.end();
  }
}
