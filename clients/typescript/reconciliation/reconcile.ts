/** Reconciles files with the books: each row is accounted for or fails, and each entry of the period comes from a row or is listed. */

import { type BalanceCheck, balanceChecks } from '../balances/balances.ts';
import { groupBy } from '../group-by.ts';
import { sha256Of } from '../hash.ts';
import type { Closings } from '../import/chain/closings.ts';
import type { ComparedFiles } from '../match/compare.ts';
import { surplusOf } from '../match/compared-entry.ts';
import type { Payment } from '../match/payment.ts';
import { daysOfFiles, type FileResult } from '../match/row.ts';
import type { StoredEntry } from '../match/stored-books.ts';
import { type AppChange, appChangesOf } from './app-changes.ts';
import { contradictedRows, differentRows } from './contradictions.ts';
import { coveragesOf } from './coverage.ts';
import { type GoneStoredRow, goneWithoutRow } from './gone.ts';
import { omittedBesideEntries, omittedPayments } from './omitted.ts';
import {
  type EntryOfSource,
  FAILURES,
  type GoneEntry,
  type ReconciledRow,
  type Reconciliation,
} from './reconciliation.ts';
import { reconciledRows } from './rows.ts';

/** Files that `compare` has compared with the books. */
export interface ReconcileInput extends ComparedFiles<FileResult & { bytes: Uint8Array }> {
  rules: { text: string; bytes: Uint8Array } | undefined;
  /** The bytes of the file of rates. */
  rates?: Uint8Array | undefined;
  /** The report of the files before these. */
  previous?: { bytes: Uint8Array; closings: Closings } | undefined;
}

/** The document, and the lists that the programs show beside it. */
export interface ReconcileResult {
  reconciliation: Reconciliation;
  /** The entries to change in the app. */
  appChanges: AppChange[];
  /** The gone entries of the reconciliation, with the questions about them. */
  gone: readonly GoneStoredRow[];
}

/** Accounts for each row of the files and each entry of their period. Changes nothing. */
export function reconcile(input: ReconcileInput): ReconcileResult {
  const { files, matched, decisions, rules, rates, previous } = input;

  // Rows that make no entry, and entries that no row is.
  const omitted = files.flatMap(omittedPayments);
  const besideEntries = omittedBesideEntries(omitted, matched.unmatched, decisions);
  const coverages = files.flatMap((file) => coveragesOf(file, input.rows));
  const gone = [
    ...goneWithoutRow(input, coverages, besideEntries),
    ...contradictedRows(input, coverages, omitted),
  ];
  const goneEntries = gone.flatMap(goneEntriesOf).sort(byDateAndSource);

  // The outcome of each row.
  const different = differentRows(matched.payments);
  const rowsByFile = reconciledRows(input, besideEntries, different);
  const rows = rowsByFile.flat();
  const byOutcome = groupBy(rows, ({ outcome }) => outcome);

  const balances = balancesOfFiles(input);
  const breaksOf = ({ breaks, continuity }: BalanceCheck) =>
    breaks.length + (continuity.state === 'broken' ? 1 : 0);
  const breaks = balances.flat().reduce((sum, check) => sum + breaksOf(check), 0);

  const { from, to } = daysOfFiles(files);
  const period = from === undefined || to === undefined ? null : { from, to };
  const sources = sourcesOf(input, goneEntries);
  const isOfPeriod = ({ date, sourceId }: EntryOfSource) =>
    period && date >= period.from && date <= period.to && sources.some(({ id }) => id === sourceId);

  const reconciliation: Reconciliation = {
    isReconciled:
      breaks === 0 && goneEntries.length === 0 && FAILURES.every((outcome) => !byOutcome.has(outcome)),
    rules: rules ? { sha256: sha256Of(rules.bytes) } : null,
    ...(rates && { rates: { sha256: sha256Of(rates) } }),
    previous: previous ? { sha256: sha256Of(previous.bytes) } : null,
    period,
    sources,
    counts: Object.fromEntries([...byOutcome].map(([outcome, { length }]) => [outcome, length])),
    breaks,
    files: files.map(({ name, bytes }, index) => ({
      name,
      sha256: sha256Of(bytes),
      balances: balances[index] ?? [],
      rows: rowsByFile[index] ?? [],
    })),
    otherEntries: otherEntries(input, rows, goneEntries).filter(isOfPeriod).sort(byDateAndSource),
    gone: goneEntries,
  };
  return { reconciliation, appChanges: appChangesOf(reconciliation, input, different), gone };
}

const goneEntriesOf = ({ storedRow, file, isCertain, row, other }: GoneStoredRow): GoneEntry[] =>
  storedRow.map((entry) => ({
    ...withSourceId(entry),
    file,
    isCertain,
    ...(row && { row: row.row }),
    ...(other && { other: { file: other.file, row: other.row } }),
  }));

/** The entries of the books that neither come from a row nor are gone. */
function otherEntries(
  { books, entries, leftOutAndStored }: ReconcileInput,
  rows: readonly ReconciledRow[],
  gone: readonly GoneEntry[],
): EntryOfSource[] {
  const stored = [
    ...entries.flatMap(surplusOf),
    ...leftOutAndStored.flatMap(({ storedEntries }) => storedEntries),
  ];
  const idsOfRow = ({ outcome, entries = [], entriesOfDay = [] }: ReconciledRow) => [
    ...entries.map(({ id }) => id),
    ...(outcome === 'known by decision' ? entriesOfDay : []),
  ];
  const ids = new Set([
    ...rows.flatMap(idsOfRow),
    ...stored.map((entry) => entry.stored.id),
    ...gone.map(({ id }) => id),
  ]);
  return [...books.byId.values()].filter((entry) => !ids.has(entry.stored.id)).map(withSourceId);
}

/** The balances of each file. A payment that the bank has moved from one file to the next breaks none. */
function balancesOfFiles({ files, previous, matched }: ReconcileInput): BalanceCheck[][] {
  return balanceChecks(files, previous?.closings).map((checks, index) =>
    checks.map((check) =>
      isMoved(check, files[index]?.name, matched.payments)
        ? { ...check, continuity: { state: 'holds' } }
        : check,
    ),
  );
}

/** Whether a balance between two statements breaks by the payments of the first one that the second one has on later days. */
function isMoved(
  { continuity: { missing, since = '' } }: BalanceCheck,
  file: string | undefined,
  payments: readonly Payment[],
): boolean {
  const moved = payments.flatMap(({ rows, storedRow }) => {
    const later = rows.find((row) => row.file === file && row.date > since);
    const before = rows.find((row) => row.file !== file && row.date <= since);
    return storedRow && later && before ? [before.pence] : [];
  });
  return missing === -moved.reduce((sum, pence) => sum + pence, 0);
}

function sourcesOf(
  { entries, books, source }: ReconcileInput,
  gone: readonly GoneEntry[],
): Reconciliation['sources'] {
  const ids = new Set([
    source?.id,
    ...entries.map((entry) => entry.source?.id),
    ...gone.map(({ sourceId }) => sourceId),
  ]);
  return books.sources.filter(({ id }) => ids.has(id)).map(({ id, name }) => ({ id, name }));
}

const withSourceId = ({ stored, source }: StoredEntry): EntryOfSource => ({ ...stored, sourceId: source.id });

const entryOrderKey = ({ date, sourceId, id }: EntryOfSource) => `${date} ${sourceId} ${id}`;
const byDateAndSource = (one: EntryOfSource, two: EntryOfSource) =>
  entryOrderKey(one) < entryOrderKey(two) ? -1 : 1;
