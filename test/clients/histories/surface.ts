/**
 * All that depends on the formats of the command: the file of decisions, the report of a push, the document of a reconciliation and the list
 * of corrections, as docs/ledger-command.md, docs/ledger-documents.md and docs/reconciling.md describe them. When these change, this file alone changes.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { House } from './rules.ts';
import { HOUSES } from './rules.ts';

/** A row of a file, as the command names it. */
export interface RowName {
  path: string;
  row: number;
}

/** A question of the command: which of these entries is this row, if any? */
export interface Question {
  rows: RowName[];
  /** Ids. */
  entries: string[];
}

export type Answer = { sameAs: string } | 'new';

/** A record of another file, as the file of decisions names it. */
export interface OtherRow {
  reference: string;
  date: string;
  pence: number;
  description: string;
}

/** The person. Each method throws an Error if the command asks about a row that no file has. */
export interface Answerer {
  /** One answer for each row of the question. */
  entryOf(question: Question): Answer[];
  /** Whether a row and a row of another file are one payment. */
  isSameRow(row: RowName, other: OtherRow): boolean;
  /**
   * Whether the entries that a file lacks are wrong, or payments of other lists; undefined if some are the one and some the other.
   * @param id of the only entry that is asked about
   */
  lacks(path: string, id?: string): 'gone' | 'elsewhere' | undefined;
}

/** Whether the command waits for answers. */
export const EXIT_QUESTIONS = 8;
/** Some references are taken: the report names those rows, and all others are stored. */
const EXIT_TAKEN = 9;
/** Exit codes of a push that promise an entry for each row that its report does not name. */
export const isStored = (exitCode: number) => exitCode === 0 || exitCode === 5 || exitCode === EXIT_TAKEN;

/** Whether the command refuses files that do not name their account, and proposes `--account FILE=NAME`. */
export const needsAccounts = (exitCode: number, message: string) =>
  exitCode === 2 && message.includes('--account FILE=NAME');

/** Why a command did not end well: the error, or the tables of rows and entries that a proof lacks. */
export function reasonsOf({ out, err }: { out: string; err: string }): string[] {
  const lines = `${out}\n${err}`.split('\n').filter((line) => line !== '');
  const first = lines.findIndex((line) =>
    /^(row|file) +.*state|entr(y|ies) (is|are) not |^error|is missing\.$|^Not reconciled/.test(line),
  );
  return (first < 0 ? lines.slice(0, 1) : lines.slice(first)).map((line) => `    | ${line}`);
}

interface Table {
  columns: string[];
  rows: Record<string, string>[];
}

/** Answers each open question in the file of decisions. @returns questions and answers in words */
export function answerQuestions(path: string, person: Answerer): string[] {
  if (!existsSync(path)) return [];
  const { columns, rows } = readTable(path);
  const open = rows.filter(({ decision }) => decision === '');
  // All that a row may be is shown together.
  const words = [...Map.groupBy(open, keyOf).values()].flatMap((lines) => {
    const decide = deciderOf(lines, person);
    return lines.flatMap((line) => {
      line.decision = decide(line) ?? '';
      return line.decision === '' ? [] : [inWordsOf(line)];
    });
  });
  const lines = rows.map((row) => columns.map((name) => cellOf(row[name] ?? '')).join(','));
  writeFileSync(path, [columns.join(','), ...lines, ''].join('\n'));
  return words;
}

const keyOf = ({ file, row, id = '' }: Record<string, string>) => `${file} ${row} ${kindOf(id, row)}`;
const kindOf = (id: string, row = '') => (row === '' ? 'file' : id.startsWith('row:') ? 'row' : 'entry');

/** @param lines of one row and one kind of question, or one line about a file */
function deciderOf(lines: Record<string, string>[], person: Answerer) {
  const { file = '', row = '', id = '' } = lines[0] ?? {};
  // `10#2` is a part of row 10.
  const name = { path: file, row: Number.parseInt(row, 10) };
  const kind = kindOf(id, row);
  if (kind === 'file') {
    return ({ id = '' }: Record<string, string>) => {
      const lacking = person.lacks(file, id === 'entries' ? undefined : id);
      return lacking && (lacking === 'gone' ? 'leave' : 'send');
    };
  }
  if (kind === 'row') {
    return (line: Record<string, string>) =>
      person.isSameRow(name, otherRowOf(line)) ? ('leave' as const) : ('send' as const);
  }
  const [answer] = person.entryOf({ rows: [name], entries: lines.map((line) => line.id ?? '') });
  return (line: Record<string, string>) =>
    typeof answer === 'object' && answer.sameAs === line.id ? ('leave' as const) : ('send' as const);
}

const otherRowOf = (line: Record<string, string>): OtherRow => ({
  reference: line.id?.slice('row:'.length) ?? '',
  date: line.entryDate ?? '',
  pence: Math.round(Number(line.entryAmount) * 100),
  description: line.entryDescription ?? '',
});

function inWordsOf(line: Record<string, string>): string {
  const { file, row, date, amount, description, id = '', decision } = line;
  const record = `${line.entryDate} ${line.entryAmount} ${line.entryDescription}`;
  const kind = kindOf(id, row);
  if (kind === 'file') return `${description} (${file}; ${record}) ${decision}`;
  return `row ${row} (${date} ${amount} ${description}) = ${kind} (${record})? ${decision}`;
}

/** Rows that the report of a push names as none to be stored. `not sent` is no excuse: the exit code promises that every other entry is stored. */
export function toldAsNotStored(reportPath: string, exitCode: number): RowName[] {
  if (!existsSync(reportPath)) return [];
  const told = ['skipped', 'left out', 'invalid', ...(exitCode === EXIT_TAKEN ? ['reference taken'] : [])];
  return readTable(reportPath)
    .rows.filter(({ status = '' }) => told.includes(status))
    .map(({ file = '', row = '' }) => ({ path: file, row: Number.parseInt(row, 10) }));
}

/** The files of the entries that a push has created, by the ids of these, by its report. */
export const createdIn = (reportPath: string): Map<string, string> =>
  new Map(
    (existsSync(reportPath) ? readTable(reportPath).rows : []).flatMap(({ status, id = '', file = '' }) =>
      status === 'created' ? [[id, file] as const] : [],
    ),
  );

export interface AppChange {
  id: string;
  /** `check`: a person has to see whether it is a payment. */
  action: 'change' | 'move' | 'remove' | 'check';
  /** The new property, and the new content; absent: as it is. */
  house?: House;
  date?: string;
  /** Without a sign. */
  pence?: number;
  type?: 'income' | 'expense';
  description?: string;
  category?: string;
  /** In words. */
  text: string;
}

const FIELD = /(?:^|[,;]\s*)(date|amount|type|description|category) /g;

/** The list of corrections. @throws Error on a line that nobody can apply */
export function readAppChanges(path: string): AppChange[] {
  if (!existsSync(path)) return [];
  return readTable(path).rows.map(appChangeOf);
}

function appChangeOf(line: Record<string, string>): AppChange {
  const { action = '', id = '', is = '', reason = '' } = line;
  const shouldBe = line['should be'] ?? '';
  const text = `${action} ${line.date} ${line.description} (${id.slice(-4)}): ${is} -> ${shouldBe}. ${reason}`;
  if (action === 'remove' || action === 'check') return { id, action, text };
  if (action !== 'change' && action !== 'move') throw new Error(`No such change: ${text}`);
  const house = HOUSES.find(
    (name) => shouldBe === name || shouldBe.startsWith(`${name},`) || shouldBe.startsWith(`${name};`),
  );
  const appChange: AppChange = { id, action, text, ...(house && { house }) };
  const starts = [...shouldBe.matchAll(FIELD)];
  if (!house && starts.length === 0) throw new Error(`No field in the change: ${text}`);
  for (const [index, start] of starts.entries()) {
    const value = shouldBe.slice(start.index + start[0].length, starts[index + 1]?.index);
    const field = start[1];
    if (field === 'date') appChange.date = value;
    if (field === 'amount')
      appChange.pence = Math.abs(Math.round(Number(value.replace(/[^\d.]/g, '')) * 100));
    if (field === 'type') appChange.type = value === 'income' ? 'income' : 'expense';
    if (field === 'description') appChange.description = value.replace(/^"|"$/g, '');
    if (field === 'category') appChange.category = value;
  }
  return appChange;
}

/** CSV with quotes; an apostrophe before a text that a spreadsheet would execute is removed. */
function readTable(path: string): Table {
  const records: string[][] = [[]];
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  for (const [, quoted, bare = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    records.at(-1)?.push((quoted?.replaceAll('""', '"') ?? bare).replace(/^'(?=[-+=@])/, ''));
    if (end !== ',' && end !== '') records.push([]);
    if (end === '') break;
  }
  const [columns = [], ...rows] = records.filter((record) => record.length > 1);
  return {
    columns,
    rows: rows.map((cells) => Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? '']))),
  };
}

const cellOf = (text: string) => {
  const safe = /^[-+=@]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Whether a change leaves nothing of an entry: then it is another payment. */
export function isChangeOfAllFields(
  appChange: AppChange,
  entry: { date: string; pence: number; description: string },
): boolean {
  const { date, pence, description } = appChange;
  if (date === undefined || pence === undefined || description === undefined) return false;
  return date !== entry.date && pence !== Math.abs(entry.pence) && description !== entry.description;
}
