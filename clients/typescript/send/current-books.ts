/** The current books for a push: of the sources that were shown, and the days around the rows. */
import type { Ledger, ReadOptions } from '../ledger.ts';
import type { ComparedFiles } from '../match/compared.ts';
import { periodAround } from '../match/row.ts';
import { type Books, readBooks } from '../match/stored-books.ts';
import { type Pause, PUSH_RETRY_MS } from '../retries.ts';

export interface BooksQuery {
  /** Whether to read all days, in place of the days around the rows. */
  isOfAllDays?: boolean;
  /** How long to retry an unavailable service; by default as a push does. */
  retryTimeoutMs?: number | undefined;
}

/** @throws LedgerError; the reason of `signal` */
export function readCurrentBooks(
  ledger: Pick<Ledger, 'transactions'>,
  { files, books }: ComparedFiles,
  {
    isOfAllDays = false,
    retryTimeoutMs = PUSH_RETRY_MS,
    signal,
    onPause,
  }: BooksQuery & Pick<ReadOptions, 'signal' | 'onPause'>,
): Promise<Books> {
  const period = isOfAllDays ? {} : periodAround(files);
  const onProgress = (_: number, pause?: Pause) => pause && onPause?.(pause);
  const options = { ...period, retryTimeoutMs, ...(onPause && { onProgress }) };
  return readBooks(ledger, books.sources, options, signal);
}
