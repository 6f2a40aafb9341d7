/** The outcome of each row of a file, according to the books. */

import { groupBy } from '../group-by.ts';
import { omittedRows } from '../import/entries/omitted-rows.ts';
import type { ImportResult } from '../import/result.ts';
import { ruleAt } from '../import/rules/rules-text.ts';
import { readDate } from '../import/values/dates.ts';
import type { ComparedFiles } from '../match/compared.ts';
import { type ComparedEntry, type DifferingField, isNew, isProbable } from '../match/compared-entry.ts';
import { type FileResult, repeatsText, rowKey } from '../match/row.ts';
import type { StoredEntry } from '../match/stored-books.ts';
import { storedFacts } from '../match/stored-row.ts';
import type { NewTransaction } from '../resources.ts';
import type { DifferentRows } from './contradictions.ts';
import type { OmittedMatch } from './omitted.ts';

export type ReconciledOutcome =
  | 'in the books'
  /** Stored under another reference: a person has said so, or has left it out. */
  | 'probably known'
  | 'left out'
  /** A correction leaves it out. */
  | 'left out by hand'
  /** It is no payment. */
  | 'skipped'
  /** A row of an earlier file is the same payment. */
  | 'repeated'
  | 'missing'
  /** The stored entry differs from the row's, or the row of an earlier file does. */
  | 'different'
  | 'in another source'
  /** The reference of the row belongs to another entry. */
  | 'reference taken'
  /** A rule leaves it out, and the books have it. */
  | 'left out and stored'
  /** That entry comes from no row of the files: the row may have had other content when it was pushed. */
  | `${'left out' | 'skipped'}, and an entry of the day has its description`
  | 'invalid';

/** The line of the rules that decided, and its text. */
interface RuleLine {
  line: number;
  text: string;
}

type Content = Pick<NewTransaction, 'type' | 'amountPence'>;

/** An entry of a row, with its stored entry, if there is one. */
interface EntryOfRow extends Content {
  /** The id of the stored entry; null if there is none. */
  id: string | null;
  sourceId: string;
  category: string | null;
  part?: number;
  /** The fields in which the stored entry differs. */
  fields?: readonly DifferingField[];
}

export interface ReconciledRow {
  row: number;
  outcome: ReconciledOutcome;
  date?: string;
  /** The signed amount of the payment. */
  pence?: number;
  /** The currency of the payment, if not pounds: `pence` are hundredths of its unit. */
  currency?: string;
  description?: string;
  rule?: RuleLine;
  entries?: EntryOfRow[];
  /** The row or the part of it that a rule leaves out. */
  leftOut?: (Content & { part?: number })[];
  /** Why the row has this outcome, where its entries do not show it. */
  reasons?: string[];
  /** The ids of the entries of its day and description that come from no row. */
  entriesOfDay?: string[];
}

interface RowsInput
  extends Pick<ComparedFiles, 'repeated' | 'entries' | 'leftOutAndStored' | 'books' | 'source'> {
  rules: { text: string } | undefined;
  omitted: readonly OmittedMatch[];
  different: readonly DifferentRows[];
}

/** Advice for a row that makes no entry, beside an entry of its day. */
export const HOW_TO_MEND =
  'If the row was changed after the push, take the file from the bank again. If the entry is of another file, name that file too. If a rule is wrong, correct it.';

type RowsByNumber = Map<number, ReconciledRow>;

/** Reconciles the rows of one file after the other. */
export class RowsReconciler {
  /** The ids of the entries that rows account for. */
  readonly accounted = new Set<string>();
  /** The ids of the entries that are a row. Each is one row only. */
  readonly #inTheBooks = new Set<string>();

  constructor(readonly input: RowsInput) {}

  /** Each row of the file once, in their order. The first outcome of a row stays, unless another file contradicts it. */
  rowsOf(file: FileResult): ReconciledRow[] {
    const rows: RowsByNumber = new Map();
    this.#addEntries(rows, file);
    this.#addLeftOut(rows, file);
    for (const { file: name, row, first } of this.input.repeated)
      if (name === file.name) add(rows, row, 'repeated', { reasons: [repeatsText(first)] });
    for (const { row: different, firstRow, differing } of this.input.different) {
      const { row } = different;
      const reason = `It is one payment with row ${firstRow.row} of ${firstRow.file}, and differs in ${differing}. Reconcile the right file alone.`;
      if (different.file === file.name) rows.set(row, { row, outcome: 'different', reasons: [reason] });
    }
    for (const { row, reason, rule, isByHand } of omittedRows(file.result))
      if (rule === undefined)
        add(rows, row, isByHand ? 'left out by hand' : 'skipped', { reasons: [reason] });
    for (const { row, column, message } of file.result.invalid)
      add(rows, row, 'invalid', { reasons: [`${column}: ${message}`] });
    for (const omitted of this.input.omitted)
      if (omitted.row.file === file.name && addOmitted(rows, omitted)) this.#account(omitted.storedRow);
    const paymentOf = paymentsOf(file.result);
    return [...rows.values()]
      .sort((one, two) => one.row - two.row)
      .map(({ row, outcome, ...more }) => ({ row, outcome, ...paymentOf(row), ...more }));
  }

  #addEntries(rows: RowsByNumber, { name }: FileResult): void {
    const ofFile = this.input.entries.filter(({ file }) => file === name).map(withoutQuestion);
    for (const [row, parts] of groupBy(ofFile, ({ row }) => row)) {
      const ids = parts.flatMap(
        ({ matchStatus, stored, probably }) =>
          (matchStatus === 'known' ? stored : probably?.stored)?.id ?? [],
      );
      const twice = ids.find((id) => this.#inTheBooks.has(id));
      for (const id of ids) this.#inTheBooks.add(id);
      const holder = parts.find(({ matchStatus }) => matchStatus === 'taken')?.stored;
      const reasons = [
        ...(twice === undefined ? [] : [`An earlier row has the entry ${twice}.`]),
        ...(holder ? [`Its reference belongs to entry ${holder.id} of ${holder.date}.`] : []),
      ];
      add(rows, row, twice === undefined ? outcomeOf(parts) : 'missing', {
        ...this.#ruleOf(parts[0]?.rule),
        entries: parts.map((part) => this.#entryOf(part)),
        ...(reasons.length > 0 && { reasons }),
      });
    }
  }

  #entryOf(compared: ComparedEntry): EntryOfRow {
    const { entry, part, source, matchStatus, stored, fields, probably, surplus = [] } = compared;
    const isStored = matchStatus !== 'new' && matchStatus !== 'taken';
    const storedEntry = isStored ? (probably ?? (stored && { stored })) : undefined;
    this.#account([...(storedEntry ? [storedEntry] : []), ...surplus]);
    const { type, amountPence, category = null } = storedEntry?.stored ?? entry;
    return {
      id: storedEntry?.stored.id ?? null,
      sourceId: source?.id ?? this.input.source?.id ?? '',
      type,
      amountPence,
      category,
      ...(part !== undefined && { part }),
      ...(fields && { fields }),
    };
  }

  #addLeftOut(rows: RowsByNumber, { name: file, result }: FileResult): void {
    const { leftOutAndStored } = this.input;
    const storedOf = new Map(leftOutAndStored.map((row) => [rowKey(row), row.storedEntries]));
    for (const { row, part, rule, type, amountPence } of result.leftOut) {
      const stored = storedOf.get(rowKey({ row, file })) ?? [];
      this.#account(stored);
      const content = { type, amountPence, ...(part !== undefined && { part }) };
      const leftOut = [...(rows.get(row)?.leftOut ?? []), content];
      const outcome = rule === undefined ? 'left out by hand' : 'left out';
      add(rows, row, stored.length > 0 ? 'left out and stored' : outcome, {
        ...(rule !== undefined && { ...this.#ruleOf(rule), leftOut }),
      });
    }
  }

  #ruleOf(line: number | undefined): Pick<ReconciledRow, 'rule'> {
    return line === undefined ? {} : { rule: { line, text: ruleAt(this.input.rules?.text ?? '', line) } };
  }

  #account(entries: readonly Pick<StoredEntry, 'stored'>[]): void {
    for (const { stored } of entries) this.accounted.add(stored.id);
  }
}

/** Adds an outcome to a row. The outcome before it stays, and so do its reasons. */
function add(
  rows: RowsByNumber,
  row: number,
  outcome: ReconciledOutcome,
  more: Partial<ReconciledRow>,
): void {
  const { reasons = [], ...before } = rows.get(row) ?? { row, outcome };
  const all = [...reasons, ...(more.reasons ?? [])];
  rows.set(row, { ...before, ...more, ...(all.length > 0 && { reasons: all }) });
}

const MAKES_NO_ENTRY: readonly ReconciledOutcome[] = ['left out', 'left out by hand', 'skipped'];

/** The row fails because of an entry of its day. @returns whether it is that entry: a person may leave out one that is known */
function addOmitted(
  rows: RowsByNumber,
  { row: { row: number, by, pence, date }, storedRow }: OmittedMatch,
): boolean {
  const row = rows.get(number);
  if (!row || !MAKES_NO_ENTRY.includes(row.outcome)) return false;
  const entriesOfDay = storedRow.map(({ stored }) => stored.id);
  const { date: day, pence: sum } = storedFacts(storedRow);
  const isKnown = by === 'hand' && pence === sum && date === day;
  const kind = row.outcome === 'skipped' ? 'skipped' : 'left out';
  const reasons = [...(row.reasons ?? []), `No row makes the entry ${entriesOfDay.join(', ')}.`, HOW_TO_MEND];
  const outcome: ReconciledOutcome = `${kind}, and an entry of the day has its description`;
  rows.set(number, {
    ...row,
    entriesOfDay,
    ...(isKnown ? { outcome: 'probably known' } : { outcome, reasons }),
  });
  return isKnown;
}

/** An entry with an open question is missing: an equal entry may be of another account. */
function withoutQuestion(compared: ComparedEntry): ComparedEntry {
  const { probably: _, ...withoutRecord } = compared;
  return isProbable(compared) ? { ...withoutRecord, matchStatus: 'new' } : compared;
}

/** The content of a row in the file. */
function paymentsOf({ statements, entries, leftOut, unread, recognised }: ImportResult) {
  const order = recognised.dateFormat ?? 'dmy';
  const texts = new Map(
    unread.map(({ row, date: text, description }) => {
      const date = readDate(text, order);
      return [row, { ...(date !== undefined && { date }), description }];
    }),
  );
  const all = statements.flatMap(({ rows }) => rows);
  const payments = new Map(all.map(({ row, balance: _, ...payment }) => [row, payment]));
  const described = [...entries.map(({ row, entry }) => ({ row, ...entry })), ...leftOut];
  const descriptions = new Map(described.map(({ row, description = '' }) => [row, { description }]));
  return (row: number) => ({ ...texts.get(row), ...payments.get(row), ...descriptions.get(row) });
}

/** The worst outcome of the entries of a row. */
function outcomeOf(entries: readonly ComparedEntry[]): ReconciledOutcome {
  if (entries.some(({ matchStatus }) => matchStatus === 'conflict')) return 'different';
  if (entries.some(({ matchStatus }) => matchStatus === 'taken')) return 'reference taken';
  if (entries.some(({ matchStatus }) => matchStatus === 'elsewhere')) return 'in another source';
  if (entries.some(isNew)) return 'missing';
  return entries.some(({ probably }) => probably) ? 'probably known' : 'in the books';
}
