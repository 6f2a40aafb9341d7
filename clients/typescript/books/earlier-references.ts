/**
 * Rows for which an earlier version of the reader derived another reference, from another description. A row takes the earlier reference if
 * the books store the row under it. A row stored under its current reference keeps that one.
 */
import type { ReadEntry } from '../import/options.ts';
import { referenceWithin } from '../import/values/reference.ts';
import type { ReadFile } from './joined-files.ts';
import type { Books, StoredEntry } from './stored-books.ts';
import { rowOfPart } from './stored-rows.ts';

interface Row {
  rowReference?: string;
  earlierReference?: string;
}

/** The files, with the stored reference of each row. @param sourceId of rows without a source of their own */
export function withReferencesAsStored<File extends ReadFile>(
  files: readonly File[],
  books: Books,
  sourceId: string | undefined,
): File[] {
  const isEarlier = ({ earlierReference }: Row) => earlierReference !== undefined;
  return files.map((file) => {
    const { entries, leftOut, undecided } = file.statement;
    if (![entries, leftOut, undecided].some((rows: readonly Row[]) => rows.some(isEarlier))) return file;
    const nameOf = storedNames(books);
    const named = <Each extends Row>(row: Each) => ({ ...row, ...nameOf(row, undefined) });
    return {
      ...file,
      statement: {
        ...file.statement,
        entries: namedAsStored(entries, books, sourceId),
        leftOut: leftOut.map(named),
        undecided: undecided.map(named),
      },
    };
  });
}

/** The entries, with the stored reference of each. @param sourceId of entries without a source of their own */
export function namedAsStored(
  entries: readonly ReadEntry[],
  books: Books,
  sourceId: string | undefined,
): readonly ReadEntry[] {
  if (entries.every(({ earlierReference }) => earlierReference === undefined)) return entries;
  const nameOf = storedNames(books);
  return entries.map((read) => {
    const { entry, part, source, earlierReference } = read;
    const { externalRef = '' } = entry;
    const { rowReference = externalRef } = read;
    const named = nameOf(
      { rowReference, ...(earlierReference && { earlierReference }) },
      source?.id ?? sourceId,
    );
    if (named.rowReference === rowReference) return read;
    return {
      ...read,
      entry: { ...entry, externalRef: `${named.rowReference}${externalRef.slice(rowReference.length)}` },
      ...(part !== undefined && named),
    };
  });
}

/** Finds the stored reference of a row: first in its source, then in any. */
function storedNames({ byReference, sources }: Books) {
  const found = new Map<string, StoredEntry[]>();
  for (const [reference, stored] of byReference) {
    const row = rowOfPart(reference);
    found.set(row, [...(found.get(row) ?? []), stored]);
  }
  const isIn = (sourceId: string, reference: string) =>
    [reference, referenceWithin(sourceId, reference)].some((name) =>
      found.get(name)?.some(({ source }) => source.id === sourceId),
    );
  const isInAny = (reference: string) => sources.some(({ id }) => isIn(id, reference));

  return ({ rowReference = '', earlierReference }: Row, sourceId: string | undefined): Row => {
    if (earlierReference === undefined) return { rowReference };
    const names = [rowReference, earlierReference];
    const here = sourceId === undefined ? undefined : names.find((name) => isIn(sourceId, name));
    return { rowReference: here ?? names.find(isInAny) ?? rowReference };
  };
}
