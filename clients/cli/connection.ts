/** The connection of a command to the service, with its output, and the books that it reads. */

import type { Io } from '../settings/io.ts';
import { type ConnectionOptions, currentProfile } from '../settings/profiles.ts';
import type { Period } from '../typescript/days.ts';
import { Ledger, type LedgerOptions, type Source } from '../typescript/index.ts';
import { type Books, readBooks } from '../typescript/match/stored-books.ts';
import { createOutput } from './output.ts';
import { createProgressLine, printPause } from './progress.ts';
import type { WaitOptions } from './waits.ts';

export interface GlobalOptions extends ConnectionOptions, WaitOptions {
  io: Io;
  json?: boolean;
}

/** @throws CliError without an API key for this service */
export const connect = (options: GlobalOptions) => ({
  ledger: newLedger(options, currentProfile(options)),
  output: createOutput(options),
});

/** Its reads report an unavailable service soon. A push, and the comparisons within it, retry for longer. */
export const newLedger = ({ io, pauseMax, limitTimeout }: GlobalOptions, connection: LedgerOptions): Ledger =>
  new Ledger({
    ...connection,
    retryTimeoutMs: 5_000,
    pauseMsMax: pauseMax,
    limitTimeoutMs: limitTimeout,
    onPause: (pause) => printPause(io, pause),
  });

/** Reads the books of these sources in this period. The terminal shows the number of entries. */
export async function readBooksWithProgress(
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
