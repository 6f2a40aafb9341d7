/** The records of a QIF file: lines, each with a letter for its field, in sections. */

import { CELL_LENGTH_MAX, requireAccountName, requireRows } from '../files/bounds.ts';
import { cleanText } from '../files/cells.ts';
import { ImportError } from '../import-error.ts';
import type { RowProblem, StatementEnds } from '../rows/parsed-row.ts';

/** The types of sections, in lower case. */
const PAYMENTS = ['bank', 'cash', 'ccard', 'oth a', 'oth l'];
export const INVESTMENTS = ['invst', 'port', '401(k)', '401(k)/403(b)'];
const LISTS = ['account', 'cat', 'class', 'memorized', 'security', 'prices', 'budget', 'tag', 'template'];
/** The lines of a payment that are read: date, amount, second amount, payee and memo. */
const READ_LINES = ['D', 'T', 'U', 'P', 'M'];
/** The lines that are checked and not part of the entry: cleared, category or account, the amounts of splits. */
const LOOKED_AT = ['C', 'L', '$'];
/** The ignored lines: number, address, the other lines of splits, reimbursable. */
const IGNORED_LINES = ['N', 'A', 'S', 'E', '%', 'F'];

export interface QifSection {
  /** The type as the file writes it. */
  type: string;
  statement: StatementEnds;
  /** The name and the description of the account. */
  titles: string[];
}

export interface QifRecord {
  /** The line on which it begins. */
  line: number;
  section: QifSection;
  fields: Map<string, string>;
  /** The further lines of the memo. */
  memo: string[];
  /** The amounts of its splits. */
  splits: string[];
  problems: RowProblem[];
  /** Whether a line ^ ends it. */
  isEnded: boolean;
}

export const isQifPayment = ({ section }: Pick<QifRecord, 'section'>) =>
  PAYMENTS.includes(section.type.toLowerCase());

/** @throws ImportError `unreadable_file` for an unknown section, a payment in a section without payments, and a file that is cut */
export function qifRecordsOf(text: string): QifRecord[] {
  const records: QifRecord[] = [];
  let section: QifSection | undefined;
  let titles: string[] = [];
  let record: QifRecord | undefined;
  const finish = (isEnded: boolean) => {
    if (record && section?.type === 'Account') {
      requireNoPayment(record);
      titles = ['N', 'D'].map((letter) => cleanText(record?.fields.get(letter) ?? ''));
      requireAccountName(titles[0] ?? '');
    } else if (record) {
      if (LISTS.includes(record.section.type.toLowerCase())) requireNoPayment(record);
      records.push({ ...record, isEnded });
    }
    requireRows(records.length);
    record = undefined;
  };
  for (const { line, content } of numberedLines(text)) {
    if (content.startsWith('!')) {
      finish(true);
      if (/^!(Option|Clear)\b/i.test(content)) continue;
      section = { type: sectionOf(content, line), statement: { account: titles[0] ?? '' }, titles };
      titles = [];
    } else if (/^\s*\^[\s^]*$/.test(content)) finish(true);
    else if (content.trim() !== '') {
      if (section === undefined) throw noSection();
      record ??= { line, section, fields: new Map(), memo: [], splits: [], problems: [], isEnded: false };
      addLine(record, content.trimStart(), line);
    }
  }
  finish(false);
  if (section === undefined) throw noSection();
  requireWholeRecords(text, records);
  return records;
}

/** @throws ImportError for a record of a list that has the date and the amount of a payment */
function requireNoPayment({ line, section, fields }: QifRecord): void {
  const [date = '', amount = fields.get('U') ?? ''] = [fields.get('D'), fields.get('T')];
  if (!/^\d/.test(date) || !/^[-+]?\d/.test(amount)) return;
  const message = `The record on line ${line} has a date and an amount, in a section (${section.type}) without payments; put the line !Type:Bank before it.`;
  throw new ImportError('unreadable_file', message);
}

/** The type of a section. @throws ImportError for a section that may have payments, and that is not known */
function sectionOf(content: string, line: number): string {
  const [, named] = /^!(?:Type:\s*(.+)|Account)$/i.exec(content.slice(0, 100).trim()) ?? [];
  const type = named ?? (/^!Account\s*$/i.test(content) ? 'Account' : content.slice(1, 40));
  if ([...PAYMENTS, ...INVESTMENTS, ...LISTS].includes(type.toLowerCase())) return type;
  const message = `The section ${content.slice(0, 40).trim()} on line ${line} is not known and may have payments; export the account again without it.`;
  throw new ImportError('unreadable_file', message);
}

function addLine(record: QifRecord, content: string, line: number): void {
  const { fields, memo, problems } = record;
  const letter = content.charAt(0).toUpperCase();
  // One character more than a cell may have shows that the text is too long.
  const value = content.slice(1, CELL_LENGTH_MAX + 2).trim();
  if (!isQifPayment(record)) {
    if (!fields.has(letter)) fields.set(letter, value);
    return;
  }
  const addProblem = (message: string) => problems.push({ column: letter, value: content, message });
  if (letter === '$') record.splits.push(value);
  if (LOOKED_AT.includes(letter)) {
    if (!fields.has(letter)) fields.set(letter, value);
  } else if (!READ_LINES.includes(letter)) {
    if (!IGNORED_LINES.includes(letter)) addProblem(`QIF has no such line in a payment (line ${line}).`);
  } else if (!fields.has(letter)) {
    fields.set(letter, value);
  } else if (letter === 'M') memo.push(value);
  else
    addProblem(
      `The payment has two lines ${letter}; a line ^ between two payments is missing (line ${line}).`,
    );
}

function noSection(): ImportError {
  const message = 'The file is not QIF: it does not begin with a line such as !Type:Bank.';
  return new ImportError('unreadable_file', message, 'format');
}

function* numberedLines(text: string): Generator<{ line: number; content: string }> {
  const lines = text.replace(/\r\n?/g, '\n');
  let line = 1;
  for (let at = 0; at < lines.length; line++) {
    const end = lines.indexOf('\n', at);
    const next = end === -1 ? lines.length : end;
    yield { line, content: lines.slice(at, next) };
    at = next + 1;
  }
}

/** Detects a cut last record. A file that only lacks its last ^ is whole. */
function requireWholeRecords(text: string, records: readonly QifRecord[]): void {
  const last = records.at(-1);
  if (!last || last.isEnded || !isQifPayment(last)) return;
  const others = records.filter((record) => record !== last && isQifPayment(record));
  const isCut =
    !/[\r\n]/.test(text.slice(text.trimEnd().length)) ||
    (others.length > 0 &&
      READ_LINES.some(
        (letter) =>
          others.every(({ fields }) => fields.has(letter)) &&
          (!last.fields.has(letter) ||
            (letter === 'T' && others.every((other) => decimalCount(other) > decimalCount(last)))),
      ));
  if (!isCut) return;
  const message = `The file is not whole: its last record, on line ${last.line}, is cut; download it again.`;
  throw new ImportError('unreadable_file', message);
}

const decimalCount = ({ fields }: QifRecord) => /[.,](\d*)$/.exec(fields.get('T') ?? '')?.[1]?.length ?? 0;
