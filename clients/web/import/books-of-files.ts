/** Reading the account's entries of the files' period. */

import type { Period } from '../../typescript/days.ts';
import { periodAround } from '../../typescript/match/row.ts';
import { readBooks } from '../../typescript/match/stored-books.ts';
import type { Session } from '../key/session.ts';
import { needsBooks, readFilesOf } from './derived-state.ts';
import { DUE_BOOKS } from './state.ts';
import type { Store } from './store.ts';

export type BooksOfFiles = ReturnType<typeof booksOfFiles>;

/** Creates the reader of the books of an import. @param onError the books could not be read */
export function booksOfFiles(
  { get, set, prepare }: Store,
  session: () => Session | undefined,
  onError: (error: unknown) => void,
) {
  let running = new AbortController();
  return {
    /** Reads the books for the days of the files, unless they are read, or being read. */
    async read(): Promise<void> {
      const { files, books: before } = get();
      const { ledger, sources } = session() ?? {};
      const read = readFilesOf(files);
      if (!ledger || !sources || !needsBooks(read)) return;
      const period = periodAround(read);
      const isRead = before.status === 'read' || before.status === 'reading';
      if (isRead && covers(before.period, period)) return;
      running.abort();
      running = new AbortController();
      const { signal } = running;
      set({ books: { status: 'reading', period, stored: before.stored } });
      try {
        const stored = await readBooks(ledger, sources, period, signal);
        const books = { status: 'read', period, stored } as const;
        await prepare({ books });
        if (!signal.aborted) set({ books });
      } catch (error) {
        if (signal.aborted) return;
        set({ books: { ...DUE_BOOKS, status: 'failed' } });
        onError(error);
      }
    },
    cancel: () => running.abort(),
  };
}

/** A period without an end has no bound there. */
const covers = (all: Period, part: Period): boolean =>
  (all.from === undefined || (part.from !== undefined && all.from <= part.from)) &&
  (all.to === undefined || (part.to !== undefined && all.to >= part.to));
