/** Receipts beside entries. A person names each file after its entry; nothing is guessed. */
import { groupBy } from '../../typescript/group-by.ts';
import type { Transaction } from '../../typescript/index.ts';
import { type Row, rowKey } from '../../typescript/match/row.ts';
import type { Books } from '../../typescript/match/stored-books.ts';
import type { Reconciliation } from '../../typescript/reconciliation/reconciliation.ts';
import type { ReceiptFile } from './receipt-files.ts';

export interface Receipts {
  /** Expenses of more pence need a receipt. */
  above: number;
  /** With the ids of the entries that it is named after. */
  files: { name: string; sha256: string; entries: string[] }[];
  /** Files that are named after no entry, or after several. */
  notMatched: { name: string; sha256?: string; reason: string }[];
  /** The names of files with one content. */
  equal: string[][];
  /** The expenses of the reconciliation above that amount, without a receipt. */
  without: (Transaction & { sourceId: string })[];
}

/** The files of a folder. Expenses of more pence than `above` need one. */
export interface ReceiptFolder {
  files: readonly ReceiptFile[];
  above: number;
}

const PROBLEMS: Record<NonNullable<ReceiptFile['problem']>, string> = {
  link: 'It is a link, and links are not followed.',
  'no file': 'It is no file.',
  empty: 'It is empty.',
};

/** @param books of the whole account: a file may be the receipt of another period */
export function receiptsOf(
  { files, above }: ReceiptFolder,
  reconciliation: Reconciliation,
  { books, rows }: { books: Books; rows: readonly Row[] },
): Receipts {
  const targets = targetsByName(books, rows, reconciliation);
  const receipts: Receipts = { above, files: [], notMatched: [], equal: equalIn(files), without: [] };
  for (const { name, sha256, problem } of files) {
    const found = [...new Set(possibleNames(name).flatMap((each) => [...(targets.get(each) ?? [])]))];
    const [only] = found;
    if (sha256 !== undefined && !problem && only !== undefined && found.length === 1) {
      receipts.files.push({ name, sha256, entries: only.split(' ') });
      continue;
    }
    const whyNone =
      found.length === 0
        ? 'No entry has this id or reference.'
        : `It may be of ${found.join(' or of ')}: name it after the id.`;
    const reason = problem ? PROBLEMS[problem] : whyNone;
    receipts.notMatched.push({ name, ...(sha256 !== undefined && { sha256 }), reason });
  }
  const proved = new Set(receipts.files.flatMap(({ entries }) => entries));
  receipts.without = reconciledEntries(reconciliation, books).filter(
    ({ type, amountPence, id }) => type === 'expense' && amountPence > above && !proved.has(id),
  );
  return receipts;
}

/**
 * By name, the ids of the entries with that name, in one text. The reference of a row names all of its entries, and the reference of an entry
 * that entry.
 */
function targetsByName(
  books: Books,
  rows: readonly Row[],
  { files }: Reconciliation,
): Map<string, Set<string>> {
  const targets = new Map<string, Set<string>>();
  const add = (name: string, ids: readonly string[]) => {
    const key = name.normalize('NFC');
    targets.set(key, (targets.get(key) ?? new Set()).add(ids.join(' ')));
  };
  const idsOfRow = new Map(
    files.flatMap(({ name, rows }) =>
      rows.map(
        ({ row, entries = [] }) =>
          [rowKey({ row, file: name }), entries.flatMap(({ id }) => id ?? [])] as const,
      ),
    ),
  );
  const ofRows = new Map<string, readonly string[]>();
  for (const row of rows) {
    const ids = [...new Set(idsOfRow.get(rowKey(row)))];
    if (ids.length === 0) continue;
    add(row.reference, ids);
    ofRows.set(row.reference, ids);
  }
  for (const { stored } of books.byId.values()) {
    const { id, externalRef } = stored;
    add(id, [id]);
    // The first part of a split row has the reference of the row.
    if (externalRef !== null && !ofRows.get(externalRef)?.includes(id)) add(externalRef, [id]);
  }
  return targets;
}

/** A second receipt of an entry, as file managers number a copy. */
const NUMBER = / \(\d+\)$/;
/** As in a URL: a file name cannot have `/`, nor `:` on some machines. */
const ESCAPE = /%([0-7][\da-f])/gi;

/** The ids and references that a file may be named after, by its path: with and without its extension, its number and its escapes. */
function possibleNames(path: string): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return [name, name.replace(/(?<=.)\.[^.]*$/, '')]
    .flatMap((text) => [text, text.replace(NUMBER, '')])
    .flatMap((text) => [
      text,
      text.replace(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    ]);
}

const equalIn = (files: readonly ReceiptFile[]): string[][] => {
  const read = files.filter(({ sha256, problem }) => sha256 !== undefined && !problem);
  return [...groupBy(read, ({ sha256 }) => sha256).values()]
    .filter(({ length }) => length > 1)
    .map((same) => same.map(({ name }) => name));
};

/** The entries that the reconciliation is about, in their order. */
function reconciledEntries(
  { files, otherEntries, gone }: Reconciliation,
  { byId }: Books,
): Receipts['without'] {
  const ofRows = files.flatMap(({ rows }) => rows.flatMap(({ entries = [] }) => entries));
  const ids = new Set([...ofRows, ...otherEntries, ...gone].flatMap(({ id }) => id ?? []));
  const orderKey = ({ date, id }: Transaction) => `${date} ${id}`;
  return [...ids]
    .flatMap((id) => {
      const { stored, source } = byId.get(id) ?? {};
      return stored && source ? { ...stored, sourceId: source.id } : [];
    })
    .sort((one, other) => (orderKey(one) < orderKey(other) ? -1 : 1));
}
