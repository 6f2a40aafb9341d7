/** Entries without a row that may be earlier versions of rows, stored before somebody corrected the file. */
import type { Compared } from '../books/compared.ts';
import { decisionKey } from '../books/decisions.ts';
import type { FileEntry } from '../books/joined-files.ts';
import { leftOutRows } from '../books/left-out.ts';
import { DAYS_APART } from '../books/probably.ts';
import { sameDescription } from '../books/same-description.ts';
import { dayAfter } from '../books/stored-books.ts';
import { groupBy } from '../group-by.ts';
import type { EntryOfSource } from './entries-of-day.ts';

/** Rows that may have replaced an entry: rows with entries, and rows that rules leave out. A person leaves out a row for any reason. */
export function replacingRows({ entries, files }: Pick<Compared, 'entries' | 'files'>): FileEntry[] {
  const byRules = leftOutRows(files).filter(({ rule }) => rule !== undefined);
  const leftOut = byRules.map((each): FileEntry => {
    const { row, file, isReferenceDerived, date, type, amountPence, description, rowReference } = each;
    const entry = { date, type, amountPence, description, externalRef: rowReference ?? '' };
    return { row, file, isReferenceDerived, entry, account: '', isSourceChosen: true };
  });
  return [...entries, ...leftOut];
}

/** An entry, and the row that may have replaced it. */
export interface EarlierVersion extends EntryOfSource {
  file: string;
  row: number;
}

/**
 * The entries near the date of a row with its source, and with its description or its amount, unless a person has decided that both are
 * payments. If the rules or the file choose the source of the row, or leave it out, an equal description is enough in any source.
 * @param entries without a row
 */
export function earlierVersions(
  entries: readonly EntryOfSource[],
  compared: Pick<Compared, 'entries' | 'files' | 'source' | 'decisions'>,
): EarlierVersion[] {
  const { source, decisions } = compared;
  const rowsByFact = groupBy(
    replacingRows(compared).flatMap((read) => {
      const row = { ...read.entry, sourceId: read.source?.id ?? source?.id ?? '' };
      return factsOf(row, read.isSourceChosen ?? false).map((fact) => ({
        fact: `${row.date} ${fact}`,
        read,
      }));
    }),
    ({ fact }) => fact,
  );
  return entries.flatMap((entry) => {
    const days = DAYS_APART.map((each) => dayAfter(entry.date, each));
    const near = factsOf(entry, true).flatMap((fact) =>
      days.flatMap((day) => (rowsByFact.get(`${day} ${fact}`) ?? []).map(({ read }) => read)),
    );
    const [row] = near;
    if (!row || near.some((read) => decisions.get(decisionKey(read, entry.id)) === 'send')) return [];
    return { ...entry, file: row.file, row: row.row };
  });
}

function factsOf(
  entry: Pick<EntryOfSource, 'sourceId' | 'type' | 'amountPence'> & { description?: string | null },
  isInAnySource: boolean,
) {
  const { sourceId, type, amountPence } = entry;
  const text = sameDescription(entry.description ?? '');
  const texts = isInAnySource ? [`${sourceId} text ${text}`, `text ${text}`] : [`${sourceId} text ${text}`];
  return [...(text === '' ? [] : texts), `${sourceId} ${type} ${amountPence}`];
}
