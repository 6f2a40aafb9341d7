/** The outcome of each row of the files, by the books. */

import { groupBy } from '../group-by.ts';
import { omittedRows } from '../import/entries/omitted-rows.ts';
import { ruleAt } from '../import/rules/rules-text.ts';
import type { ComparedFiles } from '../match/compare.ts';
import { type ComparedEntry, type MatchStatus, worstOf } from '../match/compared-entry.ts';
import { type FileResult, repeatsText, rowKey, rowName } from '../match/row.ts';
import { storedFacts } from '../match/stored-row.ts';
import type { Transaction } from '../resources.ts';
import type { DifferentRow } from './contradictions.ts';
import { type OmittedBesideEntry, rowContents } from './omitted.ts';
import { HOW_TO_MEND } from './outcome-texts.ts';
import type { EntryOfRow, ReconciledOutcome, ReconciledRow } from './reconciliation.ts';

interface ReconciledRowsInput
  extends Pick<ComparedFiles, 'files' | 'repeated' | 'entries' | 'leftOutAndStored' | 'source'> {
  rules: { text: string } | undefined;
}

/** The rows of each file, each once and in their order. */
export function reconciledRows(
  input: ReconciledRowsInput,
  besideEntries: readonly OmittedBesideEntry[],
  different: readonly DifferentRow[],
): ReconciledRow[][] {
  const besideEntryOf = new Map(besideEntries.map((omitted) => [rowKey(omitted.row), omitted]));
  const differentRowOf = new Map(different.map((each) => [rowKey(each.row), each]));
  const entriesByFile = groupBy(input.entries, ({ file }) => file);
  // A stored entry is one row only: the first.
  const rowOfId = new Map(input.entries.toReversed().map((entry) => [idInTheBooks(entry), rowKey(entry)]));
  return input.files.map((file) => {
    const { name, result } = file;
    const findings = [
      ...findingsOfEntries(entriesByFile.get(name) ?? [], rowOfId, input),
      ...findingsOfLeftOut(file, input),
      ...input.repeated
        .filter((repeated) => repeated.file === name)
        .map(({ row, first }) => findingOf(row, 'repeated', repeatsText(first))),
      ...omittedRows(result)
        .filter(({ rule }) => rule === undefined)
        .map(({ row, reason, isByHand }) =>
          findingOf(row, isByHand ? 'left out by hand' : 'skipped', reason),
        ),
      ...result.invalid.map(({ row, column, message }) => findingOf(row, 'invalid', `${column}: ${message}`)),
    ];
    const rows = [...groupBy(findings, ({ row }) => row)].map(([row, ofRow]) => {
      const key = rowKey({ row, file: name });
      const differentRow = differentRowOf.get(key);
      return differentRow
        ? asDifferent(differentRow)
        : withEntryOfDay(mergedFindings(ofRow), besideEntryOf.get(key));
    });
    const contentOfRow = rowContents(result);
    return rows
      .sort((one, two) => one.row - two.row)
      .map(({ row, outcome, ...more }) => ({ row, outcome, ...contentOfRow(row), ...more }));
  });
}

const findingOf = (row: number, outcome: ReconciledOutcome, reason: string): ReconciledRow => {
  return { row, outcome, reasons: [reason] };
};

/** One row of several findings about it: the first outcome, and all reasons. */
function mergedFindings(findings: readonly ReconciledRow[]): ReconciledRow {
  const [{ outcome }] = findings as [ReconciledRow];
  const reasons = findings.flatMap((finding) => finding.reasons ?? []);
  const leftOut = findings.flatMap((finding) => finding.leftOut ?? []);
  const all: ReconciledRow = Object.assign({}, ...findings);
  return { ...all, outcome, ...(leftOut.length > 0 && { leftOut }), ...(reasons.length > 0 && { reasons }) };
}

/** @param rowOfId the row of each stored entry, by its id */
function findingsOfEntries(
  entries: readonly ComparedEntry[],
  rowOfId: ReadonlyMap<string | undefined, string>,
  input: ReconciledRowsInput,
): ReconciledRow[] {
  return [...groupBy(entries, ({ row }) => row)].map(([row, parts]): ReconciledRow => {
    const isOfOtherRow = (part: ComparedEntry) => rowOfId.get(idInTheBooks(part)) !== rowKey(part);
    const [earlierId] = parts.filter(isOfOtherRow).flatMap((part) => idInTheBooks(part) ?? []);
    const holder = parts.find((part) => part.matchStatus === 'taken')?.holder.stored;
    const reasons = [
      ...(earlierId === undefined ? [] : [`An earlier row has the entry ${earlierId}.`]),
      ...(holder ? [`Its reference belongs to entry ${holder.id} of ${holder.date}.`] : []),
    ];
    return {
      row,
      outcome: earlierId === undefined ? outcomeOf(parts) : 'missing',
      ...decidingRule(parts[0]?.rule, input),
      entries: parts.map((part) => entryOfRow(part, input)),
      ...(reasons.length > 0 && { reasons }),
    };
  });
}

/** The id of the entry that proves the row. */
const idInTheBooks = (entry: ComparedEntry): string | undefined =>
  entry.matchStatus === 'known' || entry.matchStatus === 'same' ? storedOf(entry)?.id : undefined;

/** The stored entry that it is, also with other content or in another source. */
function storedOf(entry: ComparedEntry): Transaction | undefined {
  switch (entry.matchStatus) {
    case 'known':
    case 'conflict':
    case 'elsewhere':
      return entry.stored;
    case 'same':
      return entry.probably.stored;
    case 'new':
    case 'held back':
    case 'taken':
    case 'probable':
      return undefined;
  }
}

function entryOfRow(
  comparedEntry: ComparedEntry,
  { source: defaultSource }: ReconciledRowsInput,
): EntryOfRow {
  const { entry, part, source = defaultSource } = comparedEntry;
  const storedEntry = storedOf(comparedEntry);
  const { type, amountPence, category = null } = storedEntry ?? entry;
  return {
    id: storedEntry?.id ?? null,
    sourceId: source?.id ?? '',
    type,
    amountPence,
    category,
    ...(part !== undefined && { part }),
    ...('fields' in comparedEntry && { fields: comparedEntry.fields }),
  };
}

function findingsOfLeftOut({ name: file, result }: FileResult, input: ReconciledRowsInput): ReconciledRow[] {
  const stored = new Set(input.leftOutAndStored.map(rowKey));
  return result.leftOut.map(({ row, part, rule, type, amountPence }): ReconciledRow => {
    const outcome = rule === undefined ? 'left out by hand' : 'left out';
    const content = { type, amountPence, ...(part !== undefined && { part }) };
    return {
      row,
      outcome: stored.has(rowKey({ row, file })) ? 'left out and stored' : outcome,
      ...(rule !== undefined && { ...decidingRule(rule, input), leftOut: [content] }),
    };
  });
}

const decidingRule = (
  line: number | undefined,
  { rules }: ReconciledRowsInput,
): Pick<ReconciledRow, 'rule'> =>
  line === undefined ? {} : { rule: { line, text: ruleAt(rules?.text ?? '', line) } };

function asDifferent({ row: { row }, firstRow, differing }: DifferentRow): ReconciledRow {
  const reason = `It is one payment with ${rowName(firstRow)}, and differs in ${differing}. Reconcile the right file alone.`;
  return findingOf(row, 'different', reason);
}

const MAKES_NO_ENTRY: readonly ReconciledOutcome[] = ['left out', 'left out by hand', 'skipped'];

/** A row that makes no entry fails because of an entry of its day, unless it is that entry: a person may leave out one that is known. */
function withEntryOfDay(row: ReconciledRow, omitted: OmittedBesideEntry | undefined): ReconciledRow {
  if (!omitted || !MAKES_NO_ENTRY.includes(row.outcome)) return row;
  const { by, pence, date } = omitted.row;
  const { date: day, pence: sum } = storedFacts(omitted.storedRow);
  const isKnown = by === 'hand' && pence === sum && date === day;
  const entriesOfDay = omitted.storedRow.map(({ stored }) => stored.id);
  if (isKnown) return { ...row, entriesOfDay, outcome: 'known by decision' };
  const kind = row.outcome === 'skipped' ? 'skipped' : 'left out';
  const reasons = [...(row.reasons ?? []), `No row makes the entry ${entriesOfDay.join(', ')}.`, HOW_TO_MEND];
  return { ...row, entriesOfDay, outcome: `${kind}, and an entry of the day has its description`, reasons };
}

const OUTCOME_OF_STATUS: Record<MatchStatus, ReconciledOutcome> = {
  taken: 'reference taken',
  conflict: 'different',
  elsewhere: 'in another source',
  'held back': 'missing',
  new: 'missing',
  // An equal entry may be of another account.
  probable: 'missing',
  same: 'known by decision',
  known: 'in the books',
};

const outcomeOf = (entries: readonly ComparedEntry[]): ReconciledOutcome =>
  OUTCOME_OF_STATUS[worstOf(entries)?.matchStatus ?? 'known'];
