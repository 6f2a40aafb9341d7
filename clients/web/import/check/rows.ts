/** The rows of the table on the Check step: entries, rows with problems, skipped rows, in the order of the file. */

import { groupBy } from '../../../typescript/group-by.ts';
import { omittedRows } from '../../../typescript/import/entries/omitted-rows.ts';
import type { SourceWithCategories } from '../../../typescript/import/options.ts';
import type { CorrectedField, RowCorrection } from '../../../typescript/import/questions-and-answers.ts';
import type { ImportEntry, ImportResult, LeftOut } from '../../../typescript/import/result.ts';
import type { ComparedFiles } from '../../../typescript/match/compare.ts';
import { type ComparedEntry, type MatchStatus, worstOf } from '../../../typescript/match/compared-entry.ts';
import { signedSum } from '../../../typescript/match/payment-facts.ts';
import { repeatsText } from '../../../typescript/match/row.ts';
import { rowsWithoutSource } from '../../../typescript/match/without-source.ts';
import type { NewTransaction } from '../../../typescript/resources.ts';
import { withRuleText } from '../../page/words.ts';
import { isDecidedAsSame } from '../changes.ts';
import { type Corrections, rowId } from '../state.ts';
import { noteOf, rowStatusOf } from './row-status.ts';

/** `read`: not compared with the books yet. `repeated`: a file before has it. A row that is held back is `elsewhere`. */
export type RowStatus =
  | Exclude<MatchStatus, 'held back'>
  | 'read'
  | 'problem'
  | 'repeated'
  | 'leftOut'
  | 'skipped';

/** The content of a row: its entry, or its texts where it makes none. */
export interface RowContent {
  /** Of a row that is split: the whole row. */
  entry: NewTransaction | undefined;
  source: SourceWithCategories | undefined;
  /** Of a row that is split: its entries, and the parts that are left out. */
  parts: readonly { entry: Pick<NewTransaction, 'type' | 'amountPence' | 'category'>; isLeftOut: boolean }[];
  /** The texts of the file or of a correction, where there is no entry. */
  texts: Readonly<Partial<Record<CorrectedField, string>>>;
}

export interface CheckRow extends RowContent {
  /** The number of the row across all files. */
  id: number;
  /** The number of the row in its file. */
  row: number;
  file: string;
  status: RowStatus;
  /** A problem row that lacks only its property: rules or a person decide. */
  isWithoutSource: boolean;
  /** Of a probable one: it may correct the entry. */
  isCorrection: boolean;
  /** A person has said that it is an entry that the books have in other words or with another amount. The decision can be made again. */
  isDecided: boolean;
  /** The line of the rule that leaves the row out. */
  rule: number | undefined;
  /** By field; `row` for what concerns the row as a whole. */
  problems: Readonly<Partial<Record<CorrectedField | 'reference' | 'row', string>>>;
  /** Why it is skipped, where it differs from the books, or what to look at. */
  note: string;
  /** The texts of the file, if fields were corrected. */
  original: RowContent | undefined;
}

interface RowsInput {
  files: readonly FileRows[];
  compared: Pick<ComparedFiles, 'decisions' | 'entries' | 'repeated' | 'wrongSource'> | undefined;
  /** The text of the rules. */
  rules?: string;
}

interface FileRows {
  name: string;
  result: ImportResult;
  original: ImportResult | undefined;
  corrections: Corrections;
}

/** The rows of all files, in their order. Without `compared`, entries have the status `read`. */
export function tableRows({ files, compared, rules = '' }: RowsInput): CheckRow[] {
  const comparedEntries = new Map(compared?.entries.map((each) => [each.entry, each]));
  const firsts = groupBy(compared?.repeated ?? [], ({ file }) => file);
  return files.flatMap((file, index) => {
    const repeated = new Map(firsts.get(file.name)?.map(({ row, first }) => [row, first]));
    return checkRowsOfFile(index, file, { compared, comparedEntries, repeated, rules });
  });
}

/** The books beside a file, and the other files. */
interface RowsContext {
  compared: RowsInput['compared'];
  comparedEntries: ReadonlyMap<NewTransaction, ComparedEntry>;
  /** Rows that a file before has, with their place there. */
  repeated: ReadonlyMap<number, { file: string; row: number }>;
  rules: string;
}

function checkRowsOfFile(fileIndex: number, file: FileRows, beside: RowsContext): CheckRow[] {
  const { name, result, original, corrections } = file;
  const texts = new Map(result.rowsWithoutEntry.map((each) => [each.row, each]));
  const originals = originalsOf(original, corrections);
  // By the number of the row in its file. Some numbers have no row.
  const rows: CheckRow[] = [];
  // A row that is in several lists is what the last one says.
  const lists = [entryRows(result, beside), omittedRowFacts(file, beside), problemRows(result, beside)];
  for (const [row, { content, ...facts }] of lists.flat()) {
    const place = { id: rowId(fileIndex, row), row, file: name, original: originals.get(row) };
    const own = content ?? { ...NO_CONTENT, texts: texts.get(row) ?? NO_CONTENT.texts };
    rows[row] = { ...NO_FACTS, ...own, ...facts, ...place };
  }
  return rows.filter(Boolean);
}

/** The rows that make entries, each with the status of its parts in the books. */
function entryRows(
  result: ImportResult,
  { compared, comparedEntries, repeated }: RowsContext,
): NumberedFacts[] {
  const warnings = new Map(result.warnings.map(({ row, message }) => [row, message]));
  return [...contentsOf(result)].map(([row, { content, entries }]): NumberedFacts => {
    const first = repeated.get(row);
    const parts = entries.flatMap(({ entry }) => comparedEntries.get(entry) ?? []);
    if (first && parts.length === 0) return [row, { status: 'repeated', content, note: repeatsText(first) }];
    const worst = worstOf(parts);
    const isDecided = parts.some((part) => compared && isDecidedAsSame(compared, part));
    const notes = [noteOf(worst, compared?.wrongSource, isDecided), warnings.get(row) ?? ''];
    return [row, { ...rowStatusOf(worst, isDecided), content, note: notes.filter(Boolean).join(' ') }];
  });
}

/** The rows that make no entry: the file, a rule or a person leaves them out. */
function omittedRowFacts({ result, original }: FileRows, { rules }: RowsContext): NumberedFacts[] {
  const contents = leftOutContents(result, original);
  return omittedRows(result).map(({ row, reason, rule, isByHand }) => {
    const status = isByHand || rule !== undefined ? 'leftOut' : 'skipped';
    const note = isByHand ? '' : rule === undefined ? reason : withRuleText(reason, rules);
    return [row, { status, content: contents.get(row), rule, note }];
  });
}

/** The rows with problems, each with all of its messages by field. */
function problemRows(result: ImportResult, { rules }: RowsContext): NumberedFacts[] {
  const withoutSource = rowsWithoutSource(result);
  return [...groupBy(result.invalid, ({ row }) => row)].map(([row, ofRow]) => {
    const problems: Partial<Record<string, string>> = {};
    for (const { field = 'row', message } of ofRow) {
      const text = withRuleText(message, rules);
      problems[field] = problems[field] ? `${problems[field]} ${text}` : text;
    }
    return [row, { status: 'problem', problems, isWithoutSource: withoutSource.has(row) }];
  });
}

const NO_CONTENT: RowContent = { entry: undefined, source: undefined, parts: [], texts: {} };
const NO_FACTS = {
  isWithoutSource: false,
  isCorrection: false,
  isDecided: false,
  rule: undefined,
  problems: {},
  note: '',
};

interface RowFacts extends Pick<CheckRow, 'status'>, Partial<Pick<CheckRow, keyof typeof NO_FACTS>> {
  content?: RowContent | undefined;
}

/** The number of a row in its file, with its facts. */
type NumberedFacts = [row: number, facts: RowFacts];

/** The rows that have entries, with these. */
function contentsOf(result: ImportResult): Map<number, { content: RowContent; entries: ImportEntry[] }> {
  const left = groupBy(result.leftOut, ({ row }) => row);
  const ofRow = groupBy(result.entries, ({ row }) => row);
  return new Map(
    [...ofRow].map(([row, entries]) => [
      row,
      { content: contentOfEntries(entries, left.get(row) ?? []), entries },
    ]),
  );
}

/** The rows that are left out, as entries: by a rule, or by hand. */
function leftOutContents(result: ImportResult, original: ImportResult | undefined): Map<number, RowContent> {
  const byHand = new Set(result.leftOut.flatMap(({ row, rule }) => (rule === undefined ? row : [])));
  const earlier = byHand.size === 0 ? [] : (original?.entries ?? []).filter(({ row }) => byHand.has(row));
  return new Map([
    ...result.leftOut.flatMap(
      ({ row, part, date, type, amountPence, description }): [number, RowContent][] => {
        const entry = { date, type, amountPence, ...(description !== '' && { description }) };
        const content = { ...NO_CONTENT, entry };
        return part === undefined ? [[row, content]] : [];
      },
    ),
    ...earlier.map((read): [number, RowContent] => [read.row, contentOfEntries([read], [])]),
  ]);
}

function contentOfEntries(entries: readonly ImportEntry[], leftOut: readonly LeftOut[]): RowContent {
  const [{ entry, part, source }] = entries as [ImportEntry];
  if (part === undefined) return { ...NO_CONTENT, entry, source };
  const numbered = [
    ...entries.map((each) => ({ number: each.part ?? 0, entry: each.entry, isLeftOut: false })),
    ...leftOut.map((each) => ({ number: each.part ?? 0, entry: each, isLeftOut: true })),
  ].sort((one, other) => one.number - other.number);
  const sum = signedSum(numbered.map((each) => each.entry));
  const { category: _, ...rest } = entry;
  const whole = { ...rest, type: sum < 0 ? 'expense' : 'income', amountPence: Math.abs(sum) } as const;
  return { ...NO_CONTENT, entry: whole, source, parts: numbered };
}

/** The texts of the file, of the rows with a corrected field. */
function originalsOf(original: ImportResult | undefined, corrections: Corrections): Map<number, RowContent> {
  const found = new Map<number, RowContent>();
  const isCorrected = (row: number) => {
    const { isLeftOut: _, ...fields } = corrections.get(row) ?? {};
    return Object.values(fields).some((value) => value !== undefined);
  };
  if (!original || corrections.size === 0) return found;
  for (const [row, { content }] of contentsOf(original)) if (isCorrected(row)) found.set(row, content);
  for (const texts of original.rowsWithoutEntry)
    if (isCorrected(texts.row)) found.set(texts.row, { ...NO_CONTENT, texts });
  return found;
}

/** Whether the row would be pushed, now or when its problems are solved. */
export const canBeLeftOut = ({ entry, status }: CheckRow): boolean =>
  !isFixed(status) && (entry !== undefined || status === 'problem');

/** Whether nothing about a row with this status can be changed before it is brought back or decided again. */
export const isFixed = (status: RowStatus): boolean =>
  status === 'leftOut' || status === 'repeated' || status === 'joined';

/** The correction that brings rows back, whether a person or a rule has left them out. */
export const broughtBack = (...rows: readonly CheckRow[]): RowCorrection => ({
  isLeftOut: rows.some(({ rule }) => rule !== undefined) ? false : undefined,
});

export type Filter = 'all' | Exclude<RowStatus, 'read' | 'skipped'>;

/** The filters with their names, in the order of the toolbar. */
export const FILTERS: Readonly<Record<Filter, string>> = {
  all: 'All rows',
  problem: 'Problems only',
  probable: 'Probably in the books',
  new: 'New rows',
  known: 'Already in the books',
  joined: 'Known by decision',
  conflict: 'Different in the books',
  elsewhere: 'In another property',
  taken: 'Reference taken',
  repeated: 'In another file',
  leftOut: 'Left out',
};

/** Whether a filter shows the row. */
export const isShown = ({ status }: CheckRow, filter: Filter): boolean =>
  filter === 'all' || filter === (status === 'skipped' ? 'leftOut' : status);

export type FilterCounts = Record<Filter, number>;

/** The number of rows that each filter shows. */
export const countsOfRows = (rows: readonly CheckRow[]): FilterCounts =>
  Object.fromEntries(
    (Object.keys(FILTERS) as Filter[]).map((filter) => [
      filter,
      rows.filter((row) => isShown(row, filter)).length,
    ]),
  ) as FilterCounts;
