/** The rows of the table on the Check step: entries, rows with problems, skipped rows, in the order of the file. */

import type { Compared } from '../../../typescript/books/compared.ts';
import type { ComparedRow, Comparison, Standing } from '../../../typescript/books/comparison.ts';
import { groupBy } from '../../../typescript/group-by.ts';
import type {
  CorrectedField,
  Correction,
  ImportResult,
  LeftOut,
  NewTransaction,
  PlanSource,
  ReadEntry,
} from '../../../typescript/import/index.ts';
import type { CategorySet } from '../../../typescript/index.ts';
import { dateText, pounds } from '../../page/format.ts';
import { isDecidedToLeave } from '../changes.ts';
import type { Corrections } from '../state.ts';
import { noteOf, standingOf } from './notes.ts';
import { withRuleText } from './rule-text.ts';

/** `read`: an entry that is not compared with the books yet. `probable`: a new one that the books probably have. */
export type RowStanding = Standing | 'probable' | 'read' | 'problem' | 'leftOut' | 'skipped';

/** What a row has: an entry, or its texts. */
export interface Content {
  /** Of a row that is split: the whole row. */
  entry: NewTransaction | undefined;
  source: PlanSource | undefined;
  /** Of a row that is split: its entries, and what of it is left out. */
  parts: readonly { entry: Pick<NewTransaction, 'type' | 'amountPence' | 'category'>; isLeftOut: boolean }[];
  /** What the file or a correction has, where there is no entry. */
  texts: Readonly<Partial<Record<CorrectedField, string>>>;
}

export interface Row extends Content {
  row: number;
  standing: RowStanding;
  /** Of a probable one: it may correct the entry. */
  isCorrection: boolean;
  /** A person has said that it is an entry that the books have in other words or with another amount. */
  isDecided: boolean;
  /** The line of the rule that leaves the row out. */
  rule: number | undefined;
  /** By field; `row` for what concerns the row as a whole. */
  problems: Readonly<Partial<Record<CorrectedField | 'reference' | 'row', string>>>;
  /** Why it is skipped, where it differs from the books, or what to look at. */
  note: string;
  /** What the file has, if fields were corrected. */
  original: Content | undefined;
}

export interface RowsInput {
  result: ImportResult;
  original: ImportResult | undefined;
  corrections: Corrections;
  compared: Pick<Compared, 'comparison' | 'decisions'> | undefined;
  /** The text of the rules. */
  rules?: string;
}

export function rowsOf({ result, original, corrections, compared: beside, rules = '' }: RowsInput): Row[] {
  const comparison = beside?.comparison;
  const { skipped, invalid, unread } = result;
  /** By number: a file has at most 100,000. */
  const rows: Row[] = [];
  const texts = new Map(unread.map((each) => [each.row, each]));
  const originals = originalsOf(original, corrections);
  const add = (row: number, { standing, content, rule, problems, note, ...more }: Part) => {
    rows[row] = {
      row,
      standing,
      entry: content?.entry,
      source: content?.source,
      parts: content?.parts ?? NO_PARTS,
      texts: content?.texts ?? texts.get(row) ?? NO_TEXTS,
      isCorrection: more.isCorrection ?? false,
      isDecided: more.isDecided ?? false,
      rule,
      problems: problems ?? NO_TEXTS,
      note: note ?? '',
      original: originals.get(row),
    };
  };
  const warnings = new Map(result.warnings.map(({ row, message }) => [row, message]));
  for (const [row, { content, indexes }] of contentsOf(result)) {
    const compared = worstOf(indexes, comparison);
    const isDecided = indexes.some(
      (index) =>
        beside !== undefined &&
        isDecidedToLeave(beside, result.entries[index] as ReadEntry, comparison?.rows[index]?.stored?.id),
    );
    const note = [noteOf(compared, comparison, isDecided), warnings.get(row) ?? ''].filter(Boolean).join(' ');
    add(row, { ...standingOf(compared, isDecided), content, note });
  }
  for (const { row, reason, rule } of skipped) {
    if (corrections.get(row)?.isLeftOut) add(row, { standing: 'leftOut' });
    else if (rule !== undefined) add(row, { standing: 'leftOut', rule, note: withRuleText(reason, rules) });
    else add(row, { standing: 'skipped', note: reason });
  }
  for (const { row, field = 'row', message } of invalid) {
    const earlier = rows[row]?.problems ?? {};
    const text = withRuleText(message, rules);
    const problems = { ...earlier, [field]: earlier[field] ? `${earlier[field]} ${text}` : text };
    add(row, { standing: 'problem', problems });
  }
  return rows.filter(Boolean);
}

interface Part
  extends Pick<Row, 'standing'>,
    Partial<Omit<Row, keyof Content | 'standing' | 'row' | 'original'>> {
  content?: Content;
}

const NO_PARTS: Row['parts'] = [];
const NO_TEXTS = {};
const WORST: readonly (Standing | undefined)[] = ['conflict', 'elsewhere', 'new', 'known', undefined];

/** Of the parts of a row, the one that is least as it should be. */
function worstOf(indexes: readonly number[], comparison: Comparison | undefined): ComparedRow | undefined {
  const all = indexes.map((index) => comparison?.rows[index]);
  if (all.length > 1) all.sort((one, other) => WORST.indexOf(one?.standing) - WORST.indexOf(other?.standing));
  return all[0];
}

/** The rows that have entries, and the indexes of these. */
function contentsOf({
  entries,
  leftOut,
}: ImportResult): Map<number, { content: Content; indexes: number[] }> {
  const ofRow = groupBy(entries.keys(), (index) => (entries[index] as ReadEntry).row);
  const left = groupBy(leftOut, ({ row }) => row);
  const contents = new Map<number, { content: Content; indexes: number[] }>();
  for (const [row, indexes] of ofRow) {
    const own = indexes.map((index) => entries[index] as ReadEntry);
    contents.set(row, { content: contentOf(own, left.get(row) ?? []), indexes });
  }
  return contents;
}

function contentOf(entries: readonly ReadEntry[], leftOut: readonly LeftOut[]): Content {
  const [{ entry, part, source }] = entries as [ReadEntry];
  if (part === undefined) return { entry, source, parts: NO_PARTS, texts: NO_TEXTS };
  const numbered = [
    ...entries.map((each) => ({ number: each.part ?? 0, entry: each.entry, isLeftOut: false })),
    ...leftOut.map((each) => ({ number: each.part ?? 0, entry: each, isLeftOut: true })),
  ].sort((one, other) => one.number - other.number);
  const sum = numbered.reduce(
    (total, { entry: { type, amountPence } }) => total + (type === 'income' ? amountPence : -amountPence),
    0,
  );
  const { category: _, ...rest } = entry;
  const whole = { ...rest, type: sum < 0 ? 'expense' : 'income', amountPence: Math.abs(sum) } as const;
  return { entry: whole, source, parts: numbered, texts: {} };
}

/** Of the rows with a corrected field: what the file has. */
function originalsOf(original: ImportResult | undefined, corrections: Corrections): Map<number, Content> {
  const found = new Map<number, Content>();
  const isCorrected = (row: number) => {
    const { isLeftOut: _, ...fields } = corrections.get(row) ?? {};
    return Object.values(fields).some((value) => value !== undefined);
  };
  if (!original || corrections.size === 0) return found;
  for (const [row, { content }] of contentsOf(original)) if (isCorrected(row)) found.set(row, content);
  for (const texts of original.unread)
    if (isCorrected(texts.row))
      found.set(texts.row, { entry: undefined, source: undefined, parts: NO_PARTS, texts });
  return found;
}

/** The correction that brings rows back, whether a person or a rule has left them out. */
export const broughtBack = (...rows: readonly Row[]): Correction => ({
  isLeftOut: rows.some(({ rule }) => rule !== undefined) ? false : undefined,
});

export type Filter = 'all' | 'problem' | 'probable' | 'new' | 'known' | 'conflict' | 'elsewhere' | 'leftOut';

export function isShown({ standing }: Row, filter: Filter): boolean {
  if (filter === 'all') return true;
  return filter === 'leftOut' ? standing === 'leftOut' || standing === 'skipped' : standing === filter;
}

export type Counts = Record<Filter, number>;

export function countsOfRows(rows: readonly Row[]): Counts {
  const counts = {
    all: rows.length,
    problem: 0,
    probable: 0,
    new: 0,
    known: 0,
    conflict: 0,
    elsewhere: 0,
    leftOut: 0,
  };
  for (const { standing } of rows) {
    if (standing !== 'read') counts[standing === 'skipped' ? 'leftOut' : standing]++;
  }
  return counts;
}

/** Finds the rows with every word of a text in what they show; capitals and accents do not count. */
export function searchIn(
  rows: readonly Row[],
  categories: CategorySet | undefined,
): (text: string) => readonly Row[] {
  let shown: string[] | undefined;
  return (text) => {
    const words = plain(text).split(/\s+/).filter(Boolean);
    if (words.length === 0) return rows;
    // Formatting takes most of the time: once for all searches.
    shown ??= rows.map((row) => {
      const texts = FIELDS.map((field) => textOf(row, field, categories));
      return plain([...texts, editText(row, 'date'), editText(row, 'amount')].join('\n'));
    });
    return rows.filter((_, index) => words.every((word) => shown?.[index]?.includes(word)));
  };
}

const FIELDS = ['date', 'description', 'type', 'amount', 'source', 'category'] as const;
const plain = (text: string) =>
  (isPlain(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase();
/** Most texts are: to decompose them would take most of the time. */
const isPlain = (text: string) => /^[\n -~£]*$/.test(text);

/** What an editor of this field begins with. */
export function editText({ entry, source, texts }: Content, field: CorrectedField): string {
  if (!entry) return texts[field] ?? '';
  switch (field) {
    case 'amount': {
      const digits = String(entry.amountPence).padStart(3, '0');
      return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
    }
    case 'category':
      return entry.category ?? '';
    case 'description':
      return entry.description ?? '';
    case 'source':
      return source?.name ?? '';
    default:
      return entry[field];
  }
}

/** What the table shows of this field; empty if the row has nothing. */
export function textOf(content: Content, field: CorrectedField, categories: CategorySet | undefined): string {
  const { entry } = content;
  const own = content.source?.categories ?? categories;
  const text = editText(content, field);
  switch (field) {
    case 'date':
      return entry ? dateText(entry.date) : text;
    case 'amount':
      return entry ? pounds(entry.amountPence) : text;
    case 'type':
      return { income: 'Income', expense: 'Expense' }[text] ?? text;
    case 'category':
      if (content.parts.length > 0) return content.parts.map((part) => partText(part, own)).join(', ');
      return labelOf(text, typeOf(content), own);
    default:
      return text;
  }
}

export function typeOf({ entry, texts }: Content): 'income' | 'expense' | undefined {
  const type = entry?.type ?? texts.type;
  return type === 'income' || type === 'expense' ? type : undefined;
}

function partText(
  { entry, isLeftOut }: Content['parts'][number],
  categories: CategorySet | undefined,
): string {
  const { type, amountPence, category = '' } = entry;
  const label = category === '' ? 'to be sorted in the app' : labelOf(category, type, categories);
  const sign = type === 'income' ? '' : '-';
  return `${sign}${pounds(amountPence)} ${isLeftOut ? 'left out' : label}`;
}

function labelOf(key: string, type: ReturnType<typeof typeOf>, categories: CategorySet | undefined): string {
  const of = type ? categories?.[type] : [...(categories?.income ?? []), ...(categories?.expense ?? [])];
  return of?.find((category) => category.key === key)?.label ?? key;
}
