/** Reading the account's entries of the files' period. */

import { periodAround } from '../../typescript/match/row.ts';
import { readBooks } from '../../typescript/match/stored-books.ts';
import type { Session } from '../key/session.ts';
import { covers, needsBooks, readFilesOf } from './comparing.ts';
import { type Facts, NO_BOOKS } from './state.ts';

interface BooksOfFilesOptions {
  get: () => Facts;
  set: (change: Partial<Facts>) => void;
  session: () => Session | undefined;
  /** Prepares a change before it is shown. */
  workOut: (change: Partial<Facts>) => Promise<void>;
  onError: (error: unknown) => void;
}

export type BooksOfFiles = ReturnType<typeof booksOfFiles>;

export function booksOfFiles({ get, set, session, workOut, onError }: BooksOfFilesOptions) {
  let running = new AbortController();
  return {
    /** Reads nothing again. */
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
        await workOut({ books });
        if (!signal.aborted) set({ books });
      } catch (error) {
        if (signal.aborted) return;
        set({ books: { ...NO_BOOKS, status: 'failed' } });
        onError(error);
      }
    },
    cancel: () => running.abort(),
  };
}
