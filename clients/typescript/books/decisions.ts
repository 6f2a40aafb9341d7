/** Decisions of people about rows that the books probably have, and about rows that no rule decides. */
import { exactText } from '../import/files/cells.ts';
import type { Correction, ImportResult, ReadEntry } from '../import/options.ts';
import { readDecision } from '../import/plan/decision.ts';
import type { Comparison } from './comparison.ts';
import { csvOf, ownTable } from './csv.ts';
import { withoutFormula } from './export-rows.ts';
import type { FileEntry } from './joined-files.ts';
import { pounds } from './pounds.ts';
import type { StoredEntry } from './stored-books.ts';

/** `send`: the row is a separate payment. `leave`: it is the stored entry, which differs if the amounts differ. */
export type Decision = 'send' | 'leave';

/** By `decisionKey`. */
export type Decisions = ReadonlyMap<string, Decision>;

export const NO_DECISIONS: Decisions = new Map();

/** For rows that no rule decides: the deciding correction, by the reference of the row. */
export type Answers = ReadonlyMap<string, Correction>;

export const NO_ANSWERS: Answers = new Map();

/** A decision is about a row and a stored entry. It also applies to the same row in another file. */
export function decisionKey(
  { entry, rowReference = entry.externalRef }: ReadEntry,
  storedId: string,
): string {
  return `${rowReference} ${storedId}`;
}

/**
 * Applies the decisions to the comparison. An entry is one row only. If two rows may be it, the default does not apply to them, and of two
 * rows with the decision `leave` the second stays open.
 * @param all the default for rows without a decision
 */
export function withDecisions(
  entries: readonly ReadEntry[],
  comparison: Comparison,
  decisions: Decisions,
  all?: Decision,
): Comparison {
  const keyOf = (index: number, storedId: string) => decisionKey(entries[index] as ReadEntry, storedId);
  /** The rows that may be an entry, by its id. Rows with the decision `leave` come first. */
  const candidates = new Map<string, Set<string>>();
  for (const isDecided of [true, false]) {
    comparison.rows.forEach(({ probably }, index) => {
      if (!probably) return;
      const { id } = probably.stored;
      const [key, rows] = [keyOf(index, id), candidates.get(id) ?? new Set<string>()];
      const decision = decisions.get(key);
      if (isDecided ? decision === 'leave' : decision === undefined) candidates.set(id, rows.add(key));
    });
  }
  const rows = comparison.rows.map((row, index) => {
    const { probably, ...own } = row;
    if (!probably) return row;
    const key = keyOf(index, probably.stored.id);
    const [first, ...others] = candidates.get(probably.stored.id) ?? [];
    const decision = decisions.get(key) ?? (all === 'leave' && others.length > 0 ? undefined : all);
    if (decision === 'send') return own;
    if (decision === undefined || first !== key) return row;
    // Differences in date or description come from the bank. All others must be corrected in the app.
    const { stored, source, isEarlierVersion, isElsewhere } = probably;
    const fields = probably.fields.filter((field) => isEarlierVersion || field === 'category');
    if (isElsewhere) return { ...own, matchStatus: 'elsewhere' as const, stored, source, fields };
    if (fields.length > 0) return { ...own, matchStatus: 'conflict' as const, stored, fields };
    return { ...own, probably: { ...probably, isDecided: true as const } };
  });
  return { ...comparison, rows };
}

const COLUMNS = [
  ...(['decision', 'file', 'row', 'date', 'amount', 'description'] as const),
  ...(['entryDate', 'entryAmount', 'entryDescription', 'reference', 'id'] as const),
];

type DecisionRow = Record<(typeof COLUMNS)[number], string>;

/** A file of decisions cannot be read. The message is the reason, as the end of a sentence. */
export class DecisionsError extends Error {
  override readonly name = 'DecisionsError';
}

/** The rows of a file of decisions, as `decisionsCsv` writes them. @throws DecisionsError */
export function decisionRows(csv: string): DecisionRow[] {
  const table = ownTable(csv, COLUMNS);
  if ('missing' in table)
    throw new DecisionsError(`is no file of decisions: it has no column ${table.missing}`);
  if ('damagedLine' in table) throw new DecisionsError(`is damaged in row ${table.damagedLine}`);
  return table.records.map(({ line, texts: raw }) => {
    const texts = Object.fromEntries(COLUMNS.map((column) => [column, exactText(raw[column])]));
    const text = (texts.decision ?? '').trim();
    const problem = (advice: string) =>
      new DecisionsError(`has the decision "${text}" in row ${line}: write ${advice}`);
    if (texts.id === '') {
      if (text !== '' && answerOf(text) === undefined) throw problem(ANSWERS);
      return { ...(texts as DecisionRow), decision: text };
    }
    const decision = text.toLowerCase();
    if (!['', 'send', 'leave'].includes(decision)) throw problem('send or leave');
    return { ...(texts as DecisionRow), decision };
  });
}

export function decisionsOf(rows: readonly DecisionRow[]): Decisions {
  return new Map(
    rows.flatMap(({ decision, reference, id }) =>
      decision === '' || id === '' ? [] : [[`${reference} ${id}`, decision as Decision]],
    ),
  );
}

/** The possible answers: decisions of a rule, for a single row. */
export const ANSWERS = 'a source, SOURCE / CATEGORY, or leave out. A split or a refund needs a rule';

function answerOf(text: string): Correction | undefined {
  const decision = readDecision(text);
  if ('problem' in decision) return undefined;
  if (decision.kind === 'leave out') return { isLeftOut: true };
  // The source is checked when the row is read.
  if (decision.kind === 'name' && !/^(?:send|leave)$/i.test(decision.name)) return { source: decision.name };
  if (decision.kind !== 'entry' || decision.isRefund) return undefined;
  return { source: decision.source, category: decision.category };
}

export function answersOf(rows: readonly DecisionRow[]): Answers {
  return new Map(
    rows.flatMap(({ decision, reference, id }) => {
      const answer = id === '' ? answerOf(decision) : undefined;
      return decision === '' || answer === undefined ? [] : [[reference, answer]];
    }),
  );
}

/** The corrections that the answers make to the rows of a file. */
export const answeredRows = ({ undecided }: ImportResult, answers: Answers): Map<number, Correction> =>
  new Map(
    undecided.flatMap(({ row, rowReference }) => {
      const answer = answers.get(rowReference);
      return answer === undefined ? [] : [[row, answer]];
    }),
  );

/** A row in the file of decisions for each row of a statement that no rule decides. */
export function undecidedRows(file: string, { undecided, unread }: ImportResult): DecisionRow[] {
  const texts = new Map(unread.map((each) => [each.row, each]));
  return undecided.map(({ row, rowReference, ...payment }) => {
    const { date = '', description = '' } = texts.get(row) ?? {};
    return {
      ...{ decision: '', file, row: String(row), date, amount: signedPounds(payment), description },
      ...{ entryDate: '', entryAmount: '', entryDescription: '', reference: rowReference, id: '' },
    };
  });
}

/** A row in the file of decisions for an entry that needs one. */
export function openRow(read: FileEntry, { stored }: StoredEntry): DecisionRow {
  const { file, row, part, entry, rowReference = entry.externalRef ?? '' } = read;
  return {
    ...{ decision: '', file, row: part === undefined ? String(row) : `${row}#${part}`, date: entry.date },
    ...{ amount: signedPounds(entry), description: entry.description ?? '', entryDate: stored.date },
    ...{ entryAmount: signedPounds(stored), entryDescription: stored.description ?? '' },
    ...{ reference: rowReference, id: stored.id },
  };
}

/** The file of decisions, with new rows added. */
export function decisionsCsv(rows: readonly DecisionRow[], more: readonly DecisionRow[]): string {
  const keys = new Set(rows.map(({ reference, id }) => `${reference} ${id}`));
  const added = more.filter(({ reference, id }) => !keys.has(`${reference} ${id}`));
  const cells = [...rows, ...added].map((row) => COLUMNS.map((column) => withoutFormula(row[column])));
  return csvOf([COLUMNS, ...cells]);
}

const signedPounds = ({ type, amountPence }: { type: string; amountPence: number }) =>
  pounds(type === 'income' ? amountPence : -amountPence).replaceAll(',', '');
