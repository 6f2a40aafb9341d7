/** Divides entries into requests within the limits of the API. */
import type { NewTransaction } from './resources.ts';

export const ENTRIES_MAX = 500;
export const BYTES_MAX = 5 * 1024 * 1024;

/** An entry, and the bytes of its JSON. */
interface SizedEntry {
  entry: NewTransaction;
  bytes: number;
}

const utf8 = new TextEncoder();

/** @throws TypeError for an entry without JSON */
export function sizedEntries(entries: Iterable<NewTransaction>): SizedEntry[] {
  if (typeof entries !== 'object' || entries === null || !(Symbol.iterator in entries)) {
    throw new TypeError('entries must be an array, or another iterable of entries');
  }
  return Array.from(entries, (entry, index) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
      throw new TypeError(`entries[${index}] must be an object, one entry`);
    }
    try {
      return { entry, bytes: utf8.encode(JSON.stringify(entry)).length };
    } catch (cause) {
      throw new TypeError(`entries[${index}] has no JSON: ${(cause as Error).message}`, { cause });
    }
  });
}

/** The entries of the request that begins at `start`: as many as fit, at least one. */
export function chunkAt(
  entries: readonly SizedEntry[],
  start: number,
  entriesMax = ENTRIES_MAX,
): NewTransaction[] {
  let bytes = '[]'.length;
  let end = start;
  while (end < entries.length && end - start < entriesMax) {
    bytes += (entries[end] as SizedEntry).bytes + ','.length;
    if (bytes > BYTES_MAX && end > start) break;
    end++;
  }
  return entries.slice(start, end).map(({ entry }) => entry);
}
