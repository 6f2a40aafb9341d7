/**
 * The lines of a rules file with the answers about columns that a person gave for a kind of file:
 * `columns of "HSBC" in csv "Date,Description,Amount" from 2026-11-28: amount=Amount; Booked: Yes=keep, No=skip`
 */

import { isDay } from '../../days.ts';
import { cleanText } from '../files/cells.ts';
import { ImportError } from '../import-error.ts';
import { FORMATS, type KindOfFile } from '../options.ts';
import type { ColumnAnswers } from '../questions-and-answers.ts';
import { piecesOf, quoted, unquoted } from './action.ts';
import { answersText, readAnswers } from './answers-text.ts';
import { withEarlierClosings } from './kept-closings.ts';
import { COLUMNS_OF, invalidLine, lineEndOf, linesOf, linesWith, restOf } from './rules-text.ts';

/** Answers about columns, and the day on which a person gave them. */
export interface KeptAnswers extends KindOfFile {
  /** The day on which a person chose, as YYYY-MM-DD. */
  date: string;
  answers: ColumnAnswers;
}

const LINE_LENGTH_MAX = 20_000;
const LINES_MAX = 1_000;
const QUOTED = '"(?:[^"]|"")*"';
const ANSWERS_LINE = new RegExp(
  String.raw`^(?:of\s+(${QUOTED}(?:\s+and\s+${QUOTED})*)\s+)?in\s+(\w+)(?:\s+(${QUOTED})|\s+with\s+(\d{1,4})\s+columns?)?\s+from\s+(\d{4}-\d\d-\d\d)\s*:\s*([\s\S]+)$`,
  'i',
);
const ANSWERS_EXAMPLE = 'columns of "HSBC" in csv "Date,Amount" from 2026-11-28: amount=Amount';

/** The kept answers of a rules text, in order. @throws ImportError `invalid_rules` that names the line */
export function keptAnswersOf(text: string): KeptAnswers[] {
  const lines = new Map<string, number>();
  const kept: KeptAnswers[] = [];
  for (const { line, content } of linesWith(text, COLUMNS_OF)) {
    const read = readAnswersLine(content);
    if ('problem' in read) throw invalidLine(line, read.problem);
    const key = kindKey(read);
    const first = lines.get(key);
    if (first !== undefined)
      throw invalidLine(line, `is about the same files as line ${first}; delete one of them`);
    if (lines.size === LINES_MAX)
      throw invalidLine(line, `is one more than the ${LINES_MAX} lines about columns that there may be`);
    lines.set(key, line);
    kept.push(read);
  }
  return kept;
}

/** The lines of the text with kept answers alone. Rules need the sources of an account, and these lines do not. */
export const keptAnswersText = (text: string): string =>
  linesWith(text, COLUMNS_OF)
    .map(({ content }) => content)
    .join('\n');

/**
 * The rules with the answers added, in place of the line of the same kind of file. A new line comes last, so that no rule changes its line.
 * @throws ImportError `invalid_rules` if the line is too long
 */
export function withKeptAnswers(rules: string, kept: KeptAnswers): string {
  const line = keptLine(kept);
  if (line.length > LINE_LENGTH_MAX)
    throw new ImportError(
      'invalid_rules',
      'The header of the file is too long to keep the answers.',
      'rules',
    );
  const lines = [...linesOf(rules)];
  const at = lines.findIndex((each) => {
    const before = keptIn(each);
    return before && isSameKind(before, kept);
  });
  if (at !== -1) lines[at] = line;
  else if (lines.at(-1)?.trim() === '') lines.splice(-1, 1, line, '');
  else lines.push(line, '');
  return lines.join(lineEndOf(rules));
}

/** The rules without the lines that hold for files of this kind. */
export function withoutKeptAnswers(rules: string, kind: KindOfFile): string {
  const others = linesOf(rules).filter((line) => {
    const kept = keptIn(line);
    return !kept || !isSameTable(kept, kind) || !isFor(kept, kind.accounts);
  });
  return others.join(lineEndOf(rules));
}

const isSameTable = (one: KindOfFile, two: KindOfFile) =>
  kindKey({ ...one, accounts: [] }) === kindKey({ ...two, accounts: [] });

/** Whether the line names all accounts of a file. A line without accounts is for files that name none. */
export const isFor = (kept: KindOfFile, accounts: readonly string[]): boolean =>
  accounts.length === 0
    ? kept.accounts.length === 0
    : accounts.every((account) => kept.accounts.includes(account));

/** The rules with the kept answers and balances of an earlier text. Of two lines about the same files or account, the later day wins. */
export function withEarlierKept(rules: string, earlier: string): string {
  const own = keptAnswersOf(rules);
  const missing = linesWith(earlier, COLUMNS_OF)
    .map(({ content }) => keptIn(content))
    .filter((kept) => kept !== undefined)
    .filter((kept) => !own.some((other) => isSameKind(other, kept) && other.date >= kept.date));
  return withEarlierClosings(missing.reduce(withKeptAnswers, rules), earlier);
}

/** The line to add to a rules file. */
export function keptLine({ accounts, format, header, date, answers }: KeptAnswers): string {
  const ofAccounts = accounts.length > 0 ? ` of ${accounts.map(quoted).join(' and ')}` : '';
  return `columns${ofAccounts} in ${format}${headerText(header)} from ${date}: ${answersText(answers)}`;
}

/** Whether both are about the same files. */
export const isSameKind = (one: KindOfFile, two: KindOfFile): boolean => kindKey(one) === kindKey(two);

/** Without the name of an account, only a header shows the kind of a file. */
export const isRecognisable = ({ accounts, header }: KindOfFile): boolean =>
  accounts.length > 0 || header.some((name) => name !== '');

function kindKey({ accounts, format, header }: KindOfFile): string {
  return JSON.stringify([[...accounts].sort(), format, header]);
}

/** The answers of a line of any rules text; undefined if it has none that can be read. */
function keptIn(line: string): KeptAnswers | undefined {
  const read = COLUMNS_OF.test(line) ? readAnswersLine(line) : undefined;
  return read && 'problem' in read ? undefined : read;
}

/** A table without a header row has empty names. */
function headerText(header: readonly string[]): string {
  if (header.length === 0) return '';
  if (header.every((name) => name === '')) return ` with ${header.length} columns`;
  return ` ${quoted(header.map((name) => (/[,"]/.test(name) ? quoted(name) : name)).join(','))}`;
}

function readAnswersLine(content: string): KeptAnswers | { problem: string } {
  if (content.length > LINE_LENGTH_MAX) return { problem: `has more than ${LINE_LENGTH_MAX} characters` };
  const said = restOf(content, COLUMNS_OF);
  const [, accounts, name = '', header, width, date = '', text = ''] = ANSWERS_LINE.exec(said) ?? [];
  if (date === '') return { problem: `is no line about columns; write for example ${ANSWERS_EXAMPLE}` };
  const format = FORMATS.find((each) => each === name.toLowerCase());
  if (format === undefined) return { problem: `has the unknown format "${name}"` };
  if (!isDay(date)) return { problem: `has no date at "${date}"` };
  const answers = readAnswers(text);
  if ('problem' in answers) return answers;
  const kind = { accounts: accountsIn(accounts), format, header: headerIn(header, width) };
  if (!isRecognisable(kind)) return { problem: 'has neither a header nor the name of an account' };
  return { ...kind, date, answers };
}

function accountsIn(text = ''): string[] {
  return [...text.matchAll(new RegExp(QUOTED, 'g'))].map(([name]) => accountName(unquoted(name)));
}

function headerIn(header: string | undefined, width = '0'): string[] {
  if (header === undefined) return Array<string>(Number(width)).fill('');
  return piecesOf(unquoted(header), ',').map(unquoted);
}

/** The name of an account in the form for comparison. */
export const accountName = (name: string): string => cleanText(name).normalize('NFC');
