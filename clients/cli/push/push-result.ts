/** The result of `push`: the document for programs, the lines for people, the exit code. */

import type { BalanceCheck } from '../../typescript/balances/balances.ts';
import { counted } from '../../typescript/counted.ts';
import { type Total, totalsOf } from '../../typescript/export/totals.ts';
import { omittedRows } from '../../typescript/import/entries/omitted-rows.ts';
import type { ImportEntry } from '../../typescript/import/index.ts';
import type { LedgerError, PushError, PushResult } from '../../typescript/index.ts';
import type { ComparedFiles } from '../../typescript/match/compare.ts';
import {
  countsOf,
  type EntryOutcome,
  outcomesInBooks,
  takenText,
  withoutEntry,
} from '../../typescript/push/outcomes.ts';
import type { ComparedPushResult } from '../../typescript/push/push-compared.ts';
import type { ReportedPush } from '../../typescript/push/push-report.ts';
import { type PushSum, type PushSummary, pushSummary } from '../../typescript/push/push-summary.ts';
import { ruleOf } from '../../typescript/suggestions/suggested-rules.ts';
import type { Suggestion } from '../../typescript/suggestions/suggestions.ts';
import { probableOf } from '../decisions/probable.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { localTime } from '../output.ts';
import type { CommandFiles } from '../read-files.ts';

export interface PushDocumentInput extends ReportedPush, Pick<CommandFiles, 'source'> {
  isDryRun: boolean;
  /** The rules suggested by the books that also decided. */
  suggestions: readonly Suggestion[];
  /** By file: one for each of its statements. */
  balances: readonly (readonly BalanceCheck[])[];
  /** Undefined if the books were not read. */
  compared: ComparedFiles | undefined;
}

/** The exit code of a push. The codes after which the command has to run again come first. */
export function exitCodeOf({ compared, outcomes, changed, stoppedBy, error }: ComparedPushResult): ExitCode {
  if (error) return EXIT.SERVICE;
  if (stoppedBy !== undefined) return EXIT.STOPPED;
  if (changed.length > 0) return EXIT.UNDECIDED;
  if (withoutEntry(compared.entries, outcomes).length > 0) return EXIT.REFERENCE_TAKEN;
  const isInConflict = outcomes.some((each) => each?.status === 'conflict' || each?.status === 'elsewhere');
  return isInConflict ? EXIT.CONFLICTS : EXIT.OK;
}

/** The issues of an error, by rows of the file. */
export function issueLines({ issues }: PushError, entries: readonly ImportEntry[]): string[] {
  return issues.slice(0, 5).map(({ index, path, message }) => {
    const row = index === undefined ? undefined : entries[index]?.row;
    return `  ${row === undefined ? path : `row ${row}, ${path.split('/').at(-1)}`}: ${message}`;
  });
}

/** The count of stored entries after a failure. */
export function storedLine({ created, deduplicated, remaining, unknownIndexes }: ComparedPushResult): string {
  const done = created + deduplicated;
  const stored = `${done} of ${done + remaining} new entries are stored`;
  return unknownIndexes.length === 0
    ? `${stored}; running the command again continues.`
    : `At least ${stored}. ${unknownLine(unknownIndexes.length)}`;
}

const unknownLine = (count: number) =>
  `The outcome of ${counted(count, 'entry', 'entries')} is unknown; running the command again stores none twice.`;

/** The result of a push as lines: the counts of outcomes, and the entries that are not stored with the way on. */
export function resultLines({
  compared: { entries },
  outcomes,
  remaining,
  unknownIndexes,
  stoppedBy,
  fitsNow,
  retryAt,
}: ComparedPushResult): string[] {
  const { created, deduplicated, conflicts, elsewhere, probable } = countsOf(outcomes);
  const lines = [`${created} created, ${deduplicated} already known.`];
  if (conflicts > 0) {
    const differ = counted(conflicts, 'known entry differs', 'known entries differ');
    lines.push(
      `${differ} from the file. The stored entries stand: \`ledger reconcile --corrections\` lists what to change in the app.`,
    );
  }
  if (elsewhere > 0) {
    lines.push(
      `${counted(elsewhere, 'entry is', 'entries are')} in another source, and not sent: \`ledger reconcile --corrections\` lists them.`,
    );
  }
  if (probable > 0) {
    lines.push(`${counted(probable, 'entry is', 'entries are')} probably known or corrected, and not sent.`);
  }
  const taken = entries.flatMap(({ file, row }, index) => {
    const outcome = outcomes[index];
    return outcome?.status === 'taken' ? [`  row ${row} of ${file}: ${takenText(outcome)}`] : [];
  });
  if (taken.length > 0) {
    lines.push(
      `${counted(taken.length, 'entry is', 'entries are')} not stored: another entry has the reference.`,
      ...taken.slice(0, TAKEN_SHOWN),
      ...(taken.length > TAKEN_SHOWN ? [`  … and ${taken.length - TAKEN_SHOWN} more`] : []),
      'If the bank begins its ids again, use --map reference= for a table, or --account-label with a new name. If the entry is wrong, remove it in the app.',
    );
  }
  const left = counted(remaining - unknownIndexes.length, 'entry was', 'entries were');
  if (stoppedBy === 'daily_cap') {
    lines.push(`${left} not sent: the daily cap is reached (${fitsNow} fit now).`);
    lines.push(
      `Run the command again after ${retryAt && localTime(retryAt)}; it continues where it stopped.`,
    );
  }
  if (stoppedBy === 'interrupted') {
    lines.push(`Stopped: ${left} not sent. Run the command again; it continues where it stopped.`);
  }
  if (unknownIndexes.length > 0) lines.push(unknownLine(unknownIndexes.length));
  return lines;
}

const TAKEN_SHOWN = 20;

/** The document of `--json`. */
export function documentOf(
  pushed: PushDocumentInput,
  stoppedBy: PushResult['stoppedBy'],
  error?: LedgerError,
) {
  const { files, isDryRun, suggestions, entries, repeated, compared, outcomes, source } = pushed;
  const { income, expense } = totalsOf(entries.map(({ entry }) => entry));
  const { created, deduplicated, remaining } = countsOf(outcomes);
  const documents = fileDocuments(pushed);
  return {
    ...(documents.length === 1 ? documents[0] : { files: documents, entries: entries.length, repeated }),
    dryRun: isDryRun,
    ...(suggestions.length > 0 && { suggestions: suggestions.map(ruleOf) }),
    income: totalDocument(income),
    expense: totalDocument(expense),
    summary: summaryDocument(pushSummary({ files, entries, source })),
    ...inBooks(compared),
    created,
    deduplicated,
    conflicts: entriesWith(pushed, (each) => each.status === 'conflict' && { fields: each.fields }),
    leftOutAndStored: (compared?.leftOutAndStored ?? []).map(({ file, row, rule, storedEntries }) => ({
      ...(files.length > 1 && { file }),
      row,
      ...(rule !== undefined && { rule }),
      entries: storedEntries.map(({ stored: { id, type, amountPence } }) => ({ id, type, amountPence })),
    })),
    taken: entriesWith(
      pushed,
      (each) => each.status === 'taken' && { id: each.id, date: each.holder?.stored.date ?? null },
    ),
    probable: compared ? probableOf(compared) : [],
    remaining,
    unknown: pushed.unknownIndexes.length,
    stoppedBy: stoppedBy ?? null,
    ...(error && { error: { code: error.code, message: error.message } }),
  };
}

/** The rows of each file. `skipped` has all rows that make no entry, left-out rows too. */
const fileDocuments = ({ files, balances }: PushDocumentInput) =>
  files.map(({ name, result }, index) => ({
    file: name,
    bank: result.recognised.bank,
    rows: result.rowCount,
    entries: result.entries.length,
    skipped: omittedRows(result),
    invalid: result.invalid,
    warnings: result.warnings,
    leftOut: result.leftOut,
    balances: balances[index],
  }));

/** The entries whose outcome has these facts, by their rows. */
const entriesWith = <Facts extends object>(
  { files, entries, outcomes }: PushDocumentInput,
  factsOf: (outcome: EntryOutcome) => Facts | false,
) =>
  entries.flatMap(({ row, part, entry: { externalRef }, file }, index) => {
    const facts = outcomes[index] && factsOf(outcomes[index]);
    const place = { ...(part !== undefined && { part }), ...(files.length > 1 && { file }) };
    return facts ? [{ row, externalRef, ...facts, ...place }] : [];
  });

function summaryDocument({ categories, refunds, rules }: PushSummary) {
  const sumDocument = <Sum extends PushSum>({ pence, new: fresh, ...sum }: Sum) => ({
    ...sum,
    pence: Number(pence),
    newCount: fresh?.count ?? null,
    newPence: fresh ? Number(fresh.pence) : null,
  });
  return { categories: categories.map(sumDocument), refunds: refunds.map(sumDocument), rules };
}

/** Counts of the books before the push: null if they were not read. */
function inBooks(compared: ComparedFiles | undefined) {
  if (!compared) return { new: null, known: null, elsewhere: null, wrongSource: null };
  const { wrongSource } = compared;
  const { remaining, deduplicated, elsewhere } = countsOf(outcomesInBooks(compared));
  return {
    new: remaining,
    known: deduplicated,
    elsewhere,
    wrongSource: wrongSource
      ? { id: wrongSource.source.id, name: wrongSource.source.name, rows: wrongSource.equal }
      : null,
  };
}

const totalDocument = ({ count, pence }: Total) => ({ count, pence: Number(pence) });
