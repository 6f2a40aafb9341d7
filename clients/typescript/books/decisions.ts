/** What people have decided of rows that the books probably have. */
import Papa from 'papaparse';
import { exactText } from '../import/files/cells.ts';
import type { ReadEntry } from '../import/options.ts';
import type { Comparison } from './comparison.ts';
import { csvOf } from './csv.ts';
import { withoutFormula } from './export-rows.ts';
import type { FileEntry } from './joined-files.ts';
import { pounds } from './pounds.ts';
import type { StoredEntry } from './stored-books.ts';

/** `send`: the row is a payment of its own. `leave`: it is the stored entry, which then differs if it has another amount. */
export type Decision = 'send' | 'leave';

/** By `decisionKey`. */
export type Decisions = ReadonlyMap<string, Decision>;

export const NO_DECISIONS: Decisions = new Map();

/** A decision is about a row and a stored entry: another file with the same row has it too. */
export function decisionKey(
  { entry, rowReference = entry.externalRef }: ReadEntry,
  storedId: string,
): string {
  return `${rowReference} ${storedId}`;
}

/** The comparison without the questions that are decided. @param all what holds for rows without a decision */
export function withDecisions(
  entries: readonly ReadEntry[],
  comparison: Comparison,
  decisions: Decisions,
  all?: Decision,
): Comparison {
  const rows = comparison.rows.map((row, index) => {
    const { probably, ...own } = row;
    if (!probably) return row;
    const decision = decisions.get(decisionKey(entries[index] as ReadEntry, probably.stored.id)) ?? all;
    if (decision === 'send') return own;
    if (decision === undefined) return row;
    // Another date or description is the bank's. The rest the app has to change.
    const { stored, source, isEarlierVersion, isElsewhere } = probably;
    const fields = probably.fields.filter((field) => isEarlierVersion || field === 'category');
    if (isElsewhere) return { ...own, standing: 'elsewhere' as const, stored, source, fields };
    if (fields.length > 0) return { ...own, standing: 'conflict' as const, stored, fields };
    return { ...own, probably: { ...probably, isDecided: true as const } };
  });
  return { ...comparison, rows };
}

const COLUMNS = [
  ...(['decision', 'file', 'row', 'date', 'amount', 'description'] as const),
  ...(['entryDate', 'entryAmount', 'entryDescription', 'reference', 'id'] as const),
];

type DecisionRow = Record<(typeof COLUMNS)[number], string>;

/** A file of decisions cannot be read. The message says why, as the end of a sentence. */
export class DecisionsError extends Error {
  override readonly name = 'DecisionsError';
}

/** The rows of a file of decisions, as `decisionsCsv` writes them. @throws DecisionsError */
export function decisionRows(csv: string): DecisionRow[] {
  const { data, meta, errors } = Papa.parse<Partial<DecisionRow>>(csv.replace(/^\ufeff/, ''), {
    ...{ header: true, skipEmptyLines: true },
  });
  const missing = COLUMNS.find((column) => !meta.fields?.includes(column));
  if (missing !== undefined) throw new DecisionsError(`is no file of decisions: it has no column ${missing}`);
  const [error] = errors;
  if (error) throw new DecisionsError(`is damaged in row ${(error.row ?? 0) + 2}`);
  return data.map((row, index) => {
    const texts = Object.fromEntries(COLUMNS.map((column) => [column, exactText(row[column] ?? '')]));
    const decision = (texts.decision ?? '').trim().toLowerCase();
    if (!['', 'send', 'leave'].includes(decision)) {
      throw new DecisionsError(`has the decision "${decision}" in row ${index + 2}: write send or leave`);
    }
    return { ...(texts as DecisionRow), decision };
  });
}

export function decisionsOf(rows: readonly DecisionRow[]): Decisions {
  return new Map(
    rows.flatMap(({ decision, reference, id }) =>
      decision === '' ? [] : [[`${reference} ${id}`, decision as Decision]],
    ),
  );
}

/** A row of the file for an entry that waits for a decision. */
export function openRow(read: FileEntry, { stored }: StoredEntry): DecisionRow {
  const { file, row, part, entry, rowReference = entry.externalRef ?? '' } = read;
  return {
    ...{ decision: '', file, row: part === undefined ? String(row) : `${row}#${part}`, date: entry.date },
    ...{ amount: signedPounds(entry), description: entry.description ?? '', entryDate: stored.date },
    ...{ entryAmount: signedPounds(stored), entryDescription: stored.description ?? '' },
    ...{ reference: rowReference, id: stored.id },
  };
}

/** The file with its rows and the new ones. */
export function decisionsCsv(rows: readonly DecisionRow[], more: readonly DecisionRow[]): string {
  const keys = new Set(rows.map(({ reference, id }) => `${reference} ${id}`));
  const added = more.filter(({ reference, id }) => !keys.has(`${reference} ${id}`));
  const cells = [...rows, ...added].map((row) => COLUMNS.map((column) => withoutFormula(row[column])));
  return csvOf([COLUMNS, ...cells]);
}

const signedPounds = ({ type, amountPence }: { type: string; amountPence: number }) =>
  pounds(type === 'income' ? amountPence : -amountPence).replaceAll(',', '');
