/**
 * The reconciliation of files with the books. Each row is in the books, is left out by a rule, or is listed with its outcome. Each entry of the
 * period comes from a row, or is listed. The same files, rules and books give the same document.
 */

import { type BalanceCheck, balanceChecks } from '../balances/balances.ts';
import { sha256Of } from '../hash.ts';
import type { Closings } from '../import/chain/closings.ts';
import type { ComparedFiles } from '../match/compared.ts';
import type { Payment } from '../match/payment.ts';
import { daysOfFiles, type FileResult, type RowPosition } from '../match/row.ts';
import type { StoredEntry } from '../match/stored-books.ts';
import type { Source, Transaction } from '../resources.ts';
import { differentRowsIn } from './contradictions.ts';
import type { UnprovedEntry } from './duplicates.ts';
import { type ReconciledOutcome, type ReconciledRow, RowsReconciler } from './rows.ts';
import { unprovedIn } from './unproved.ts';

export interface ReconciliationInput extends ComparedFiles<FileResult & { bytes: Uint8Array }> {
  rules: { text: string; bytes: Uint8Array } | undefined;
  /** The bytes of the file of rates. */
  rates?: Uint8Array | undefined;
  /** The report of the files before these. */
  previous?: { bytes: Uint8Array; closings: Closings } | undefined;
}

export interface ReconciledFile {
  name: string;
  sha256: string;
  balances: BalanceCheck[];
  /** Each row of the file once. */
  rows: ReconciledRow[];
}

export interface Reconciliation {
  /** Every row is accounted for, no file lacks an entry of its account, and no balance breaks. */
  isReconciled: boolean;
  /** The SHA-256 of the rules file. */
  rules: { sha256: string } | null;
  /** The SHA-256 of the file of rates, if some amounts are in other currencies. */
  rates?: { sha256: string };
  /** The SHA-256 of the report whose closing balances these files begin with. */
  previous: { sha256: string } | null;
  period: { from: string; to: string } | null;
  /** The sources of the rows, and of entries that the files lack. */
  sources: Pick<Source, 'id' | 'name'>[];
  /** Rows of all files by outcome. */
  counts: Partial<Record<ReconciledOutcome, number>>;
  /** Balances that do not follow, in the files and between them. */
  breaks: number;
  files: ReconciledFile[];
  /** The entries of the period, in these sources, that come from no row. */
  fromElsewhere: EntryOfSource[];
  /** Entries of the period that a file should have, and does not. */
  gone: GoneEntry[];
}

/** A stored entry, with the id of its source. */
type EntryOfSource = Transaction & { sourceId: string };

/** An entry that a file lacks, although it covers the day. */
interface GoneEntry extends EntryOfSource {
  /** The file that covers the day, and the row that the entry resembles. */
  file: string;
  row?: number;
  /** It is this row of another file of the account. */
  other?: RowPosition;
  /** The entry is of the account of the file. Otherwise a person has to look. */
  isCertain: boolean;
}

/** Rows that are not accounted for. */
export const FAILURES: readonly ReconciledOutcome[] = [
  'missing',
  'different',
  'in another source',
  'reference taken',
  'left out and stored',
  'left out, and an entry of the day has its description',
  'skipped, and an entry of the day has its description',
  'invalid',
];

export function reconciliationOf(input: ReconciliationInput): Reconciliation {
  const { files, rules, rates, previous } = input;
  const { omitted, unproved } = unprovedIn(input);
  const different = differentRowsIn(input.matched);
  const reconciler = new RowsReconciler({ ...input, omitted, different });
  const balances = balancesOf(input);
  const reconciled = files.map(
    (file, index): ReconciledFile => ({
      name: file.name,
      sha256: sha256Of(file.bytes),
      balances: balances[index] ?? [],
      rows: reconciler.rowsOf(file),
    }),
  );
  const counts: Reconciliation['counts'] = {};
  for (const { outcome } of reconciled.flatMap(({ rows }) => rows))
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  const breaks = balances
    .flat()
    .map((check) => check.breaks.length + (check.continuity.state === 'broken' ? 1 : 0))
    .reduce((sum, count) => sum + count, 0);
  const gone = unproved.flatMap(goneEntries).sort(byPlace);
  const knownIds = new Set([...reconciler.accounted, ...gone.map(({ id }) => id)]);
  const ofNoRow = [...input.books.byId.values()].filter(({ stored }) => !knownIds.has(stored.id));
  const { from, to } = daysOfFiles(files);
  const period = from === undefined || to === undefined ? null : { from, to };
  const sources = sourcesOf(input, gone);
  const isOfPeriod = ({ date, sourceId }: EntryOfSource) =>
    period && date >= period.from && date <= period.to && sources.some(({ id }) => id === sourceId);
  return {
    isReconciled:
      breaks === 0 && gone.length === 0 && FAILURES.every((outcome) => counts[outcome] === undefined),
    rules: rules ? { sha256: sha256Of(rules.bytes) } : null,
    ...(rates && { rates: { sha256: sha256Of(rates) } }),
    previous: previous ? { sha256: sha256Of(previous.bytes) } : null,
    period,
    sources,
    counts,
    breaks,
    files: reconciled,
    fromElsewhere: ofNoRow.map(entryOf).filter(isOfPeriod).sort(byPlace),
    gone,
  };
}

const goneEntries = ({ storedRow, file, isCertain, row, other }: UnprovedEntry): GoneEntry[] =>
  storedRow.map((entry) => ({
    ...entryOf(entry),
    file,
    isCertain,
    ...(row && { row: row.row }),
    ...(other && { other: { file: other.file, row: other.row } }),
  }));

/** The balances of each file. A payment that the bank has moved from one file to the next breaks none. */
function balancesOf({ files, previous, matched }: ReconciliationInput): BalanceCheck[][] {
  const ofFiles = balanceChecks(files, previous?.closings);
  return ofFiles.map((checks, index) =>
    checks.map((check) =>
      isMoved(check, files[index]?.name, matched.payments) ? { ...check, continuity: HOLDS } : check,
    ),
  );
}

const HOLDS: BalanceCheck['continuity'] = { state: 'holds' };

/** Whether a balance between two statements breaks by the payments of the first one that the second one has on later days. */
function isMoved(
  { continuity: { missing, since = '' } }: BalanceCheck,
  file: string | undefined,
  payments: readonly Payment[],
): boolean {
  const moved = payments.flatMap(({ rows, storedRow }) => {
    const [later, before] = [
      rows.find((row) => row.file === file && row.date > since),
      rows.find((row) => row.file !== file && row.date <= since),
    ];
    return storedRow && later && before ? [before.pence] : [];
  });
  return missing !== undefined && missing === -moved.reduce((sum, pence) => sum + pence, 0);
}

function sourcesOf(
  { entries, books, source }: ReconciliationInput,
  gone: readonly GoneEntry[],
): Reconciliation['sources'] {
  const ids = new Set([
    ...[source?.id, ...entries.map((read) => read.source?.id)],
    ...gone.map(({ sourceId }) => sourceId),
  ]);
  return books.sources.filter(({ id }) => ids.has(id)).map(({ id, name }) => ({ id, name }));
}

const entryOf = ({ stored, source }: StoredEntry): EntryOfSource => ({ ...stored, sourceId: source.id });

const placeOf = ({ date, sourceId, id }: EntryOfSource) => `${date} ${sourceId} ${id}`;
const byPlace = (one: EntryOfSource, two: EntryOfSource) => (placeOf(one) < placeOf(two) ? -1 : 1);
