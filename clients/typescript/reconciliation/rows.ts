/** The outcome of each row of a file, according to the books. */

import { groupBy } from '../group-by.ts';
import { omittedRows } from '../import/entries/omitted-rows.ts';
import type { ImportResult } from '../import/result.ts';
import { ruleAt } from '../import/rules/rules-text.ts';
import { readDate } from '../import/values/dates.ts';
import type { ComparedFiles } from '../match/compared.ts';
import { type ComparedEntry, type DifferingField, isNew, isProbable } from '../match/compared-entry.ts';
import { storedFacts } from '../match/payments.ts';
import { type FileResult, repeatsText, rowKey } from '../match/row.ts';
import type { StoredEntry } from '../match/stored-books.ts';
import type { NewTransaction } from '../resources.ts';
import type { DifferentRows } from './contradictions.ts';
import type { Omitted } from './omitted.ts';

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
  /** Why it is skipped, repeated or invalid, or fails because of an entry of its day. */
  reasons?: string[];
  /** The ids of the entries of its day and description that come from no row. */
  entriesOfDay?: string[];
}

interface RowsInput
  extends Pick<ComparedFiles, 'repeated' | 'entries' | 'leftOutAndStored' | 'books' | 'source'> {
  rules: { text: string } | undefined;
  omitted: readonly Omitted[];
  different: readonly DifferentRows[];
}

/** Advice for a row that makes no entry, beside an entry of its day. */
export const HOW_TO_MEND =
  'If the row was changed after the push, take the file from the bank again. If the entry is of another file, name that file too. If a rule is wrong, correct it.';

/** The rows of each file, in their order. */
export function rowsReconciler(input: RowsInput) {
  const { entries, repeated, leftOutAndStored, source, rules, omitted, different } = input;
  const ruleOf = (line: number): RuleLine => ({ line, text: ruleAt(rules?.text ?? '', line) });
  const storedOfLeftOut = new Map(leftOutAndStored.map((each) => [rowKey(each), each.storedEntries]));
  const accounted = new Set<string>();
  /** Each accounts for one row. */
  const inTheBooks = new Set<string>();
  const accountFor = (stored: readonly (StoredEntry['stored'] | undefined)[]) => {
    for (const each of stored) if (each) accounted.add(each.id);
  };

  function entryOf(compared: ComparedEntry): EntryOfRow {
    const { entry, part, source: own, matchStatus, stored, fields, probably, surplus = [] } = compared;
    const isOther = matchStatus === 'new' || matchStatus === 'taken';
    const found = isOther ? undefined : (probably?.stored ?? stored);
    accountFor([found, ...surplus.map((each) => each.stored)]);
    const { type, amountPence, category = null } = found ?? entry;
    return {
      id: found?.id ?? null,
      sourceId: own?.id ?? source?.id ?? '',
      type,
      amountPence,
      category,
      ...(part !== undefined && { part }),
      ...(fields && { fields }),
    };
  }

  function rowsOf({ name, result }: FileResult): ReconciledRow[] {
    const rows = new Map<number, ReconciledRow>();
    const add = (row: number, outcome: ReconciledOutcome, more: Partial<ReconciledRow>) => {
      const { reasons = [], ...before } = rows.get(row) ?? { row, outcome };
      const all = [...reasons, ...(more.reasons ?? [])];
      rows.set(row, { ...before, ...more, ...(all.length > 0 && { reasons: all }) });
    };
    const ofFile = entries.filter(({ file }) => file === name).map(withoutQuestion);
    for (const [row, compared] of groupBy(ofFile, ({ row }) => row)) {
      const { rule } = compared[0] as ComparedEntry;
      const ids = compared.flatMap(({ matchStatus, stored, probably }) => {
        const found = matchStatus === 'known' ? stored : probably?.stored;
        return found ? found.id : [];
      });
      const twice = ids.find((id) => inTheBooks.has(id));
      const holder = compared.find(({ matchStatus }) => matchStatus === 'taken')?.stored;
      for (const id of ids) inTheBooks.add(id);
      add(row, twice === undefined ? outcomeOf(compared) : 'missing', {
        ...(rule !== undefined && { rule: ruleOf(rule) }),
        entries: compared.map(entryOf),
        ...(twice !== undefined && { reasons: [`An earlier row has the entry ${twice}.`] }),
        ...(holder && { reasons: [`Its reference belongs to entry ${holder.id} of ${holder.date}.`] }),
      });
    }
    for (const { row, part, rule, type, amountPence } of result.leftOut) {
      const stored = storedOfLeftOut.get(rowKey({ row, file: name })) ?? [];
      accountFor(stored.map((each) => each.stored));
      const content = { type, amountPence, ...(part !== undefined && { part }) };
      const leftOut = [...(rows.get(row)?.leftOut ?? []), content];
      const outcome = rule === undefined ? 'left out by hand' : 'left out';
      add(row, stored.length > 0 ? 'left out and stored' : outcome, {
        ...(rule !== undefined && { rule: ruleOf(rule), leftOut }),
      });
    }
    for (const { file, row, first } of repeated) {
      if (file === name) add(row, 'repeated', { reasons: [repeatsText(first)] });
    }
    for (const { row, first, differing } of different) {
      const reason = `It is one payment with row ${first.row} of ${first.file}, and differs in ${differing}. Reconcile the right file alone.`;
      if (row.file === name) rows.set(row.row, { row: row.row, outcome: 'different', reasons: [reason] });
    }
    for (const { row, reason, rule, isByHand } of omittedRows(result)) {
      if (rule === undefined) add(row, isByHand ? 'left out by hand' : 'skipped', { reasons: [reason] });
    }
    for (const { row, column, message } of result.invalid) {
      add(row, 'invalid', { reasons: [`${column}: ${message}`] });
    }
    for (const each of omitted) {
      const isKnown = each.row.file === name && addOmitted(rows, each);
      if (isKnown) accountFor(each.storedRow.map(({ stored }) => stored));
    }
    const paymentOf = paymentsOf(result);
    return [...rows.values()]
      .sort((one, two) => one.row - two.row)
      .map(({ row, outcome, ...more }) => ({ row, outcome, ...paymentOf(row), ...more }));
  }
  return { rowsOf, accounted };
}

const MAKES_NO_ENTRY: readonly ReconciledOutcome[] = ['left out', 'left out by hand', 'skipped'];

/** The row fails because of an entry of its day. One that a person leaves out may be that entry. */
function addOmitted(
  rows: Map<number, ReconciledRow>,
  { row: { row: number, by, pence, date }, storedRow }: Omitted,
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
  const { probably: _, ...own } = compared;
  return isProbable(compared) ? { ...own, matchStatus: 'new' } : compared;
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
