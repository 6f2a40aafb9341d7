/**
 * The reconciliation of files with the books. Each row is in the books, is left out by a rule, or is listed with its outcome. Each entry of the
 * period comes from a row, or is listed. The same files, rules and books give the same document.
 */
import type { Compared } from '../books/compared.ts';
import { daysOfFiles, type ReadFile } from '../books/joined-files.ts';
import type { Source } from '../resources.ts';
import { type BalanceCheck, balanceChecks, type Closings } from './balances.ts';
import { type EarlierVersion, earlierVersions } from './earlier-versions.ts';
import { type EntryOfSource, withEntriesOfDay } from './entries-of-day.ts';
import { hashOf } from './hash.ts';
import { withoutOpenQuestions } from './open-questions.ts';
import { type ReconciledRow, type RowOutcome, rowsReconciler } from './rows.ts';

export interface ReconciliationInput extends Compared<ReadFile & { bytes: Uint8Array }> {
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
  /** Every row is accounted for, no entry may be an earlier version of one, and no balance breaks. */
  isReconciled: boolean;
  /** The SHA-256 of the rules file. */
  rules: { sha256: string } | null;
  /** The SHA-256 of the file of rates, if some amounts are in other currencies. */
  rates?: { sha256: string };
  /** The SHA-256 of the report whose closing balances these files begin with. */
  previous: { sha256: string } | null;
  period: { from: string; to: string } | null;
  /** The sources of the rows, and of entries that may be earlier versions of them. */
  sources: Pick<Source, 'id' | 'name'>[];
  /** Rows of all files by outcome. */
  counts: Partial<Record<RowOutcome, number>>;
  /** Balances that do not follow, in the files and between them. */
  breaks: number;
  files: ReconciledFile[];
  /** The entries of the period, in these sources, that come from no row. */
  fromElsewhere: EntryOfSource[];
  /** Entries of `fromElsewhere` that may be earlier versions of rows. */
  earlierVersions: EarlierVersion[];
}

/** Rows that are not accounted for. */
export const FAILURES: readonly RowOutcome[] = [
  'missing',
  'different',
  'in another source',
  'left out and stored',
  'left out, and an entry of the day has its description',
  'skipped, and an entry of the day has its description',
  'invalid',
];

export function reconciliationOf(input: ReconciliationInput): Reconciliation {
  const { files, rules, rates, previous } = input;
  const { rowsOf, claimed } = rowsReconciler({ ...input, comparison: withoutOpenQuestions(input) });
  const balances = balanceChecks(files, previous?.closings);
  const { from, to } = daysOfFiles(files);
  const period = from === undefined || to === undefined ? null : { from, to };
  const rowsOfFiles = files.map(rowsOf);
  const unclaimed = unclaimedEntries(input, claimed);
  const rowsByFile = withEntriesOfDay(rowsOfFiles, unclaimed);
  const reconciled = files.map(
    ({ name, bytes }, index): ReconciledFile => ({
      ...{ name, sha256: hashOf(bytes) },
      ...{ balances: balances[index] ?? [], rows: rowsByFile[index] ?? [] },
    }),
  );
  const ofRows = rowsByFile.flat();
  const known = new Set(
    ofRows.flatMap(({ outcome, entriesOfDay = [] }) => (outcome === 'probably known' ? entriesOfDay : [])),
  );
  const ofDay = new Set(ofRows.flatMap(({ entriesOfDay = [] }) => entriesOfDay));
  const counts: Reconciliation['counts'] = {};
  for (const { outcome } of reconciled.flatMap(({ rows }) => rows))
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  const breaks = balances
    .flat()
    .map((each) => each.breaks.length + (each.continuity.state === 'broken' ? 1 : 0))
    .reduce((sum, count) => sum + count, 0);
  const ofPeriod = unclaimed.filter(
    ({ id, date }) => period && date >= period.from && date <= period.to && !known.has(id),
  );
  const earlier = earlierVersions(
    ofPeriod.filter(({ id }) => !ofDay.has(id)),
    input,
  );
  const sources = sourcesOf(input, earlier);
  const fromElsewhere = ofPeriod.filter(({ sourceId }) => sources.some(({ id }) => id === sourceId));
  return {
    isReconciled:
      breaks === 0 && earlier.length === 0 && FAILURES.every((outcome) => counts[outcome] === undefined),
    rules: rules ? { sha256: hashOf(rules.bytes) } : null,
    ...(rates && { rates: { sha256: hashOf(rates) } }),
    previous: previous ? { sha256: hashOf(previous.bytes) } : null,
    ...{ period, sources, counts, breaks, files: reconciled },
    ...{ fromElsewhere, earlierVersions: earlier },
  };
}

function sourcesOf(
  { entries, books, source }: ReconciliationInput,
  earlier: readonly EarlierVersion[],
): Reconciliation['sources'] {
  const ids = new Set([
    ...[source?.id, ...entries.map((read) => read.source?.id)],
    ...earlier.map(({ sourceId }) => sourceId),
  ]);
  return books.sources.filter(({ id }) => ids.has(id)).map(({ id, name }) => ({ id, name }));
}

/** The entries that come from no row, in all sources of the account. */
function unclaimedEntries({ books }: ReconciliationInput, claimed: ReadonlySet<string>): EntryOfSource[] {
  const keyOf = ({ date, sourceId, id }: EntryOfSource) => `${date} ${sourceId} ${id}`;
  return [...books.byId.values()]
    .filter(({ stored }) => !claimed.has(stored.id))
    .map(({ stored, source }) => ({ ...stored, sourceId: source.id }))
    .sort((one, two) => (keyOf(one) < keyOf(two) ? -1 : 1));
}
