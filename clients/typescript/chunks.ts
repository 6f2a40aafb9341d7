/** Cuts entries into requests that the API accepts. */
import type { NewTransaction } from './resources.ts';

export const ENTRIES_MAX = 500;
export const BYTES_MAX = 5 * 1024 * 1024;

/** The entries of one request. */
export interface Chunk {
  /** Index of the first entry among all of them. */
  start: number;
  entries: readonly NewTransaction[];
}

const utf8 = new TextEncoder();

/** The next chunk at `start`: as many entries as fit, at least one. */
export function chunkAt(entries: readonly NewTransaction[], start: number, entriesMax = ENTRIES_MAX): Chunk {
  let bytes = '[]'.length;
  let end = start;
  while (end < entries.length && end - start < entriesMax) {
    bytes += utf8.encode(JSON.stringify(entries[end])).length + ','.length;
    if (bytes > BYTES_MAX && end > start) break;
    end++;
  }
  return { start, entries: entries.slice(start, end) };
}
