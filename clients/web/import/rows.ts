/** The rows of the table on the Check step: entries, rows with problems, skipped rows, in the order of the file. */
import type {
  CorrectedField,
  Correction,
  ImportResult,
  NewTransaction,
} from '../../typescript/import/index.ts';
import { type ComparedField, differences, type KnownEntries, type Standing, standingOf } from './known.ts';

export type RowStanding = Standing | 'problem' | 'leftOut' | 'skipped';

export interface Row {
  row: number;
  standing: RowStanding;
  /** Set for entries. */
  entry: NewTransaction | undefined;
  /** What the file or a correction has, where there is no entry. */
  texts: Readonly<Partial<Record<CorrectedField, string>>>;
  /** By field; `row` for what concerns the row as a whole. */
  problems: Readonly<Partial<Record<CorrectedField | 'reference' | 'row', string>>>;
  /** Why it is skipped, or where it differs from the books. */
  note: string;
  isEdited: boolean;
}

const FIELD_NAMES: Record<ComparedField, string> = {
  date: 'date',
  type: 'type',
  amountPence: 'amount',
  category: 'category',
  description: 'description',
};

export function rowsOf(
  { entries, skipped, invalid, unread }: ImportResult,
  corrections: ReadonlyMap<number, Correction>,
  known: KnownEntries,
  storedRows: ReadonlySet<number> = new Set(),
): Row[] {
  const rows = new Map<number, Row>();
  const texts = new Map(unread.map((each) => [each.row, each]));
  const isEdited = (row: number) => corrections.has(row);
  for (const { row, entry } of entries) {
    const standing = standingOf(entry, known);
    const stored = standing === 'conflict' ? known.byReference.get(entry.externalRef ?? '') : undefined;
    const fields = stored ? differences(entry, stored).map((field) => FIELD_NAMES[field]) : [];
    const note = fields.length > 0 ? `The books have another ${fields.join(', ')}.` : '';
    rows.set(row, { row, standing, entry, texts: {}, problems: {}, note, isEdited: isEdited(row) });
  }
  for (const { row, reason } of skipped) {
    const isStored = storedRows.has(row) && 'known';
    const standing = isStored || (corrections.get(row)?.isLeftOut ? 'leftOut' : 'skipped');
    const note = standing === 'leftOut' ? '' : reason;
    rows.set(row, {
      row,
      standing,
      entry: undefined,
      texts: texts.get(row) ?? {},
      problems: {},
      note,
      isEdited: isEdited(row),
    });
  }
  for (const { row, field = 'row', message } of invalid) {
    const earlier = rows.get(row)?.problems ?? {};
    const problems = { ...earlier, [field]: earlier[field] ? `${earlier[field]} ${message}` : message };
    const common = { row, entry: undefined, texts: texts.get(row) ?? {}, note: '', isEdited: isEdited(row) };
    rows.set(row, { ...common, standing: 'problem', problems });
  }
  return [...rows.values()].sort((one, other) => one.row - other.row);
}

export type Filter = 'all' | 'problem' | 'new' | 'known' | 'conflict' | 'leftOut';

export function isShown({ standing }: Row, filter: Filter): boolean {
  if (filter === 'all') return true;
  return filter === 'leftOut' ? standing === 'leftOut' || standing === 'skipped' : standing === filter;
}

export type Counts = Record<Filter, number>;

export function countsOfRows(rows: readonly Row[]): Counts {
  const counts: Counts = { all: rows.length, problem: 0, new: 0, known: 0, conflict: 0, leftOut: 0 };
  for (const { standing } of rows) counts[standing === 'skipped' ? 'leftOut' : standing] += 1;
  return counts;
}

/** What an editor of this field begins with. */
export function editText({ entry, texts }: Row, field: CorrectedField): string {
  if (!entry) return texts[field] ?? '';
  switch (field) {
    case 'amount': {
      const digits = String(entry.amountPence).padStart(3, '0');
      return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
    }
    case 'category':
      return entry.category ?? '';
    case 'description':
      return entry.description ?? '';
    default:
      return entry[field];
  }
}
