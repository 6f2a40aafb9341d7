/** The stored entries of an account, indexed for comparison with a file. */
import type { ReadEntry } from '../import/result.ts';
import type { Ledger } from '../ledger.ts';
import type { Source, Transaction } from '../resources.ts';
import type { Pause } from '../retries.ts';

/** A stored entry, and its source. */
export interface StoredEntry {
  stored: Transaction;
  source: Source;
}

export interface Books {
  sources: readonly Source[];
  /** A reference is unique in the account. */
  byReference: ReadonlyMap<string, StoredEntry>;
  byId: ReadonlyMap<string, StoredEntry>;
}

/** `YYYY-MM-DD`, both inclusive. */
export interface Period {
  from?: string | undefined;
  to?: string | undefined;
}

export interface BooksOptions extends Period {
  /** Called with the number of entries read so far, from time to time and when a request waits. */
  onProgress?: (entries: number, pause?: Pause) => void;
  /** How long to retry an unavailable service; by default as the ledger does. */
  retryTimeoutMs?: number | undefined;
}

/** The period that contains the known entries of a file: the period of its entries, or all time if an id alone may identify an entry. */
export function periodOf(entries: readonly Pick<ReadEntry, 'entry' | 'id'>[]): Period {
  // The app may have changed the date of an entry with an id.
  return entries.some(({ id }) => id !== undefined) ? {} : daysOf(entries);
}

/** The first and the last day of entries. */
export const daysOf = (entries: readonly Pick<ReadEntry, 'entry'>[]): Period =>
  periodFromTo(entries.map(({ entry }) => entry));

/** From the first day to the last one. */
export function periodFromTo(dated: readonly { date: string }[]): Period {
  const period: Period = {};
  for (const { date } of dated) {
    if (period.from === undefined || date < period.from) period.from = date;
    if (period.to === undefined || date > period.to) period.to = date;
  }
  return period;
}

/** The period and some days before and after it. */
export function widened({ from, to }: Period, days: number): Period {
  return {
    ...(from !== undefined && { from: dayAfter(from, -days) }),
    ...(to !== undefined && { to: dayAfter(to, days) }),
  };
}

const [FIRST_DAY, LAST_DAY] = [Date.parse('0001-01-01'), Date.parse('9999-12-31')];

/** The day some days after another, within the range of the API. */
export function dayAfter(day: string, days: number): string {
  const time = Date.parse(day) + days * 24 * 60 * 60 * 1_000;
  return new Date(Math.min(Math.max(time, FIRST_DAY), LAST_DAY)).toISOString().slice(0, 10);
}

/**
 * Reads the entries of all `sources`, one source after the other. Without a period, all of them.
 * @throws LedgerError; the reason of `signal`
 */
export async function readBooks(
  ledger: Ledger,
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

/** The number of days between two days. */
export const daysBetween = (one: string, other: string): number =>
  Math.abs(Date.parse(one) - Date.parse(other)) / (24 * 60 * 60 * 1_000);
