/** The books of a landlord's sources after statements were pushed by rules, without the network. */
import type { Books, StoredEntry } from '../../../../clients/typescript/books/stored-books.ts';
import type { ReadEntry } from '../../../../clients/typescript/import/index.ts';
import type { Source } from '../../../../clients/typescript/index.ts';
import { SOURCES } from '../import/plan.ts';
import { sourceOf } from '../sources.ts';

export const sources = SOURCES.map(({ id, name }) => sourceOf(id, { name }));

/** Books that have the entries, in this order. */
export function pushed(entries: readonly Pick<ReadEntry, 'entry' | 'source'>[]): Books {
  const stored = entries.map(({ entry, source }, index): StoredEntry => {
    const { category = null, description = null, externalRef = null } = entry;
    return {
      stored: { ...entry, id: `e${index}`, category, description, externalRef },
      source: sources.find(({ id }) => id === source?.id) as Source,
    };
  });
  return booksOf(stored);
}

export const booksOf = (stored: readonly StoredEntry[]): Books => ({
  sources,
  byId: new Map(stored.map((each) => [each.stored.id, each])),
  byReference: new Map(stored.map((each) => [each.stored.externalRef ?? '', each])),
});
