/**
 * The proof of files against the books: each row is in the books, left out by a rule, or named as what it is; and each entry of the period
 * comes from a row, or is named. The same files, rules and books give the same document.
 */
import { daysOfFiles, type ReadFile } from '../books/joined-files.ts';
import type { Source, Transaction } from '../resources.ts';
import { type BalanceProof, balanceProofs } from './balances.ts';
import { hashOf } from './hash.ts';
import { type ProvableRows, type ProvenRow, type RowOutcome, rowsProver } from './rows.ts';

export interface ProofInput extends ProvableRows {
  files: readonly (ReadFile & { bytes: Uint8Array })[];
  rules: { text: string; bytes: Uint8Array } | undefined;
}

export interface ProvenFile {
  name: string;
  sha256: string;
  balances: BalanceProof[];
  /** Each row of the file once. */
  rows: ProvenRow[];
}

export interface Proof {
  /** Every row is accounted for, and no balance breaks. */
  isProved: boolean;
  /** Of the rules file. */
  rules: { sha256: string } | null;
  period: { from: string; to: string } | null;
  /** Those of the rows. */
  sources: Pick<Source, 'id' | 'name'>[];
  /** Rows of all files by what became of them. */
  counts: Partial<Record<RowOutcome, number>>;
  /** Balances that do not follow, in the files and between them. */
  breaks: number;
  files: ProvenFile[];
  /** The entries of the period, in these sources, that come from no row. */
  fromElsewhere: (Transaction & { sourceId: string })[];
}

/** Rows that are not accounted for. */
export const FAILURES: readonly RowOutcome[] = [
  'missing',
  'different',
  'in another source',
  'left out and stored',
  'invalid',
];

export function proofOf(input: ProofInput): Proof {
  const { files, rules } = input;
  const { rowsOf, claimed } = rowsProver(input);
  const balances = balanceProofs(files);
  const proven = files.map((file, index): ProvenFile => {
    const { name, bytes } = file;
    return { name, sha256: hashOf(bytes), balances: balances[index] ?? [], rows: rowsOf(file) };
  });
  const counts: Proof['counts'] = {};
  for (const { outcome } of proven.flatMap(({ rows }) => rows)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const breaks = balances
    .flat()
    .map((each) => each.breaks.length + (each.continuity.state === 'broken' ? 1 : 0))
    .reduce((sum, count) => sum + count, 0);
  const { from, to } = daysOfFiles(files);
  const period = from === undefined || to === undefined ? null : { from, to };
  const sources = sourcesOf(input);
  return {
    isProved: breaks === 0 && FAILURES.every((outcome) => counts[outcome] === undefined),
    rules: rules ? { sha256: hashOf(rules.bytes) } : null,
    ...{ period, sources, counts, breaks, files: proven },
    fromElsewhere: period ? fromElsewhere(input, period, sources, claimed) : [],
  };
}

function sourcesOf({ entries, books, source }: ProofInput): Proof['sources'] {
  const ids = new Set([source?.id, ...entries.map((read) => read.source?.id)]);
  return books.sources.filter(({ id }) => ids.has(id)).map(({ id, name }) => ({ id, name }));
}

function fromElsewhere(
  { books }: ProofInput,
  { from, to }: NonNullable<Proof['period']>,
  sources: Proof['sources'],
  claimed: ReadonlySet<string>,
): Proof['fromElsewhere'] {
  const ids = new Set(sources.map(({ id }) => id));
  const keyOf = ({ date, sourceId, id }: Proof['fromElsewhere'][number]) => `${date} ${sourceId} ${id}`;
  return [...books.byId.values()]
    .filter(
      ({ stored: { id, date }, source }) =>
        ids.has(source.id) && !claimed.has(id) && date >= from && date <= to,
    )
    .map(({ stored, source }) => ({ ...stored, sourceId: source.id }))
    .sort((one, two) => (keyOf(one) < keyOf(two) ? -1 : 1));
}
