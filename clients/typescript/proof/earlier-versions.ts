/** Entries without a row, which may be earlier versions of rows: they were stored before somebody corrected the file. */
import type { Compared } from '../books/compared.ts';
import { decisionKey } from '../books/decisions.ts';
import type { FileEntry } from '../books/joined-files.ts';
import { DAYS_APART_MAX } from '../books/probably.ts';
import { sameDescription } from '../books/same-description.ts';
import { dayAfter } from '../books/stored-books.ts';
import { groupBy } from '../group-by.ts';
import type { EntryOfSource } from './entries-of-day.ts';

/** Such an entry, and the row that may have replaced it. */
export interface EarlierVersion extends EntryOfSource {
  file: string;
  row: number;
}

/**
 * The entries with the source of a row and almost its date that have the description or the amount of the row, unless a person has decided
 * that both are payments.
 * @param entries without a row
 */
export function earlierVersions(
  entries: readonly EntryOfSource[],
  { entries: rows, source, decisions }: Pick<Compared, 'entries' | 'source' | 'decisions'>,
): EarlierVersion[] {
  const rowsByFact = groupBy(
    rows.flatMap((read) =>
      factsOf({ ...read.entry, sourceId: read.source?.id ?? source?.id ?? '' }).map((fact) => ({
        fact,
        read,
      })),
    ),
    ({ fact }) => fact,
  );
  return entries.flatMap((entry) => {
    const [from, to] = [dayAfter(entry.date, -DAYS_APART_MAX), dayAfter(entry.date, DAYS_APART_MAX)];
    const isNear = ({ entry: { date } }: FileEntry) => date >= from && date <= to;
    const near = factsOf(entry)
      .flatMap((fact) => (rowsByFact.get(fact) ?? []).map(({ read }) => read))
      .filter(isNear);
    const [row] = near;
    if (!row || near.some((read) => decisions.get(decisionKey(read, entry.id)) === 'send')) return [];
    return { ...entry, file: row.file, row: row.row };
  });
}

function factsOf(
  entry: Pick<EntryOfSource, 'sourceId' | 'type' | 'amountPence'> & { description?: string | null },
) {
  const { sourceId, type, amountPence } = entry;
  const text = sameDescription(entry.description ?? '');
  return [...(text === '' ? [] : [`${sourceId} text ${text}`]), `${sourceId} ${type} ${amountPence}`];
}
