/** The stored entries of an account, indexed for comparison with a file. */
import type { Period } from '../days.ts';
import type { Ledger } from '../ledger.ts';
import type { Source, Transaction } from '../resources.ts';
import type { Pause } from '../retries.ts';

/** A stored entry, and its source. */
export interface StoredEntry {
  stored: Transaction;
  source: Source;
}

/** The stored entries of all sources, for a period. */
export interface Books {
  sources: readonly Source[];
  /** A reference is unique in the account. */
  byReference: ReadonlyMap<string, StoredEntry>;
  byId: ReadonlyMap<string, StoredEntry>;
}

export interface BooksOptions extends Period {
  /** Called with the number of entries read so far, from time to time and when a request waits. */
  onProgress?: (entries: number, pause?: Pause) => void;
  /** How long to retry an unavailable service; by default as the ledger does. */
  retryTimeoutMs?: number | undefined;
}

/**
 * Reads the entries of all `sources`, one source after the other. Without a period, all of them.
 * @throws LedgerError; the reason of `signal`
 */
export async function readBooks(
  ledger: Pick<Ledger, 'transactions'>,
  sources: readonly Source[],
  { onProgress, ...rest }: BooksOptions = {},
  signal?: AbortSignal,
): Promise<Books> {
  const byReference = new Map<string, StoredEntry>();
  const byId = new Map<string, StoredEntry>();
  const options = {
    ...rest,
    signal,
    onPause: onProgress && ((pause: Pause) => onProgress(byId.size, pause)),
  };
  for (const source of sources) {
    for await (const stored of ledger.transactions(source.id, options)) {
      byId.set(stored.id, { stored, source });
      if (stored.externalRef !== null) byReference.set(stored.externalRef, { stored, source });
      if (byId.size % 100 === 0) onProgress?.(byId.size);
    }
  }
  return { sources, byReference, byId };
}
