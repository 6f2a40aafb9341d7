/** QIF, as Quicken and some banks write it: records of lines, each with a letter that says what it is. */

import { CELL_LENGTH_MAX, requireAccountName, requireRows } from '../files/bounds.ts';
import { cleanText, joinTexts } from '../files/cells.ts';
import { type DateFormat, ImportError, type ImportOptions } from '../options.ts';
import { readAmount } from '../values/amounts.ts';
import { isOrderNeeded, readDate, requireRecentYears, settleDateOrder } from '../values/dates.ts';
import { type BankRow, draftOfBankRow } from './bank-row.ts';
import type { Draft, Drafts, Problem, StatementEnds } from './draft.ts';
import { BALANCE } from './no-payment.ts';
import { dateProblem } from './table.ts';

const NAMES = { date: 'D', amount: 'T', description: 'P', reference: '' };
/** The types of sections, in lower case. */
const PAYMENTS = ['bank', 'cash', 'ccard', 'oth a', 'oth l'];
const INVESTMENTS = ['invst', 'port', '401(k)', '401(k)/403(b)'];
const LISTS = ['account', 'cat', 'class', 'memorized', 'security', 'prices', 'budget', 'tag', 'template'];
/** The lines of a payment that are read: date, amount, amount again, payee and memo. */
const READ = ['D', 'T', 'U', 'P', 'M'];
/** The others: cleared, number, category, address, the lines of splits, reimbursable. */
const UNREAD = ['C', 'N', 'L', 'A', 'S', 'E', '$', '%', 'F'];

interface QifRecord {
  /** On which it begins. */
  line: number;
  /** Of its section, as the file has it. */
  type: string;
  statement: StatementEnds;
  fields: Map<string, string>;
  /** The further lines of the memo. */
  memo: string[];
  problems: Problem[];
  /** Whether a line ^ ends it. */
  isEnded: boolean;
}

/**
 * The records of payments, by the line on which each begins. The lines of splits (S, E, $) are not read: the record is one row, whole. The
 * order of day and month holds for the file.
 * @throws ImportError `unreadable_file`, also for a file that is cut; `ambiguous_dates`
 */
export function draftsOfQif(
  text: string,
  { dateFormat, decimal = '.' }: ImportOptions,
): Drafts & { order: DateFormat; dateFormat: DateFormat | null } {
  const records = recordsOf(text);
  requireWhole(text, records);
  const payments = records.filter(isPayment);
  const dates = payments.map(({ line, fields }) => ({ row: line, text: dateText(fields.get('D')) }));
  const order = dateFormat ?? settleDateOrder(dates);
  // An apostrophe says that a year follows.
  const withoutApostrophe = dates.filter((_, index) => !payments[index]?.fields.get('D')?.includes("'"));
  if (dateFormat === undefined) requireRecentYears(withoutApostrophe, order);
  const drafts = records.map((record): Draft => {
    const { line, statement, fields, memo, problems } = record;
    const field = (letter: string) => fields.get(letter) ?? '';
    const date = dateText(field('D'));
    const payee = cleanText(field('P'));
    const amount = fields.get('T') ?? field('U');
    const firstMemo = cleanText(field('M'));
    const bankRow: BankRow = {
      ...{ row: line, statement, currencies: [], reference: '' },
      date: readDate(date, order, dateFormat !== undefined),
      dateProblem: dateProblem(date, order),
      amount: readAmount(amount, decimal),
      description: joinTexts([payee, cleanText([field('M'), ...memo].join(' '))]),
      texts: { date: field('D'), amount },
      problems,
      skipReason: skipReasonOf(record, payee, amount),
    };
    const draft = draftOfBankRow(bankRow, NAMES);
    // References are derived from the first line of the memo, as ever.
    if (memo.length > 0) draft.withoutNotes = joinTexts([payee, firstMemo]);
    // Quicken writes what an account begins with as its first record.
    if (
      isPayment(record) &&
      /^opening balance$/i.test(payee) &&
      bankRow.date !== undefined &&
      'pence' in bankRow.amount
    ) {
      statement.opening ??= { date: bankRow.date, pence: bankRow.amount.pence };
    }
    return draft;
  });
  const isOpen = dates.some(({ text: each }) => isOrderNeeded(each));
  return { drafts, columnNames: { date: 'D', amount: 'T' }, order, dateFormat: isOpen ? order : null };
}

const isPayment = ({ type }: QifRecord) => PAYMENTS.includes(type.toLowerCase());

function skipReasonOf(record: QifRecord, payee: string, amount: string): string | undefined {
  if (isPayment(record)) return BALANCE.test(payee) ? 'This is a balance, not a transaction.' : undefined;
  const of =
    INVESTMENTS.includes(record.type.toLowerCase()) && amount !== '' ? `, of ${amount.slice(0, 40)},` : '';
  return `A record of !Type:${record.type.slice(0, 40)}${of} is no payment.`;
}

/** The last record may be cut where the file is. A file that only lacks its last ^ is whole. */
function requireWhole(text: string, records: readonly QifRecord[]): void {
  const last = records.at(-1);
  if (!last || last.isEnded || !isPayment(last)) return;
  const others = records.filter((record) => record !== last && isPayment(record));
  const isCut =
    !/[\r\n]\s*$/.test(text) ||
    (others.length > 0 &&
      [...READ].some(
        (letter) =>
          others.every(({ fields }) => fields.has(letter)) &&
          (!last.fields.has(letter) ||
            (letter === 'T' && others.every((other) => decimalsOf(other) > decimalsOf(last)))),
      ));
  if (!isCut) return;
  const message = `The file is not whole: its last record, on line ${last.line}, is cut; download it again.`;
  throw new ImportError('unreadable_file', message);
}

const decimalsOf = ({ fields }: QifRecord) => /[.,](\d*)$/.exec(fields.get('T') ?? '')?.[1]?.length ?? 0;

/** Quicken writes 13/04'26 for 2026, and a space for a zero: 3/ 4' 5. */
function dateText(text = ''): string {
  const [, first, mark, second, year] = /^\s*(\d{1,2})([/.-])\s*(\d{1,2})'\s*(\d{1,4})\s*$/.exec(text) ?? [];
  if (mark !== undefined) return [first, second, (year ?? '').padStart(2, '0')].join(mark);
  return text.length > 64 ? text : text.replace(/([/.-])\s+(?=\d)/g, '$1').trim();
}

function recordsOf(text: string): QifRecord[] {
  const records: QifRecord[] = [];
  let type: string | undefined;
  let account = '';
  let statement: StatementEnds = { account };
  let record: QifRecord | undefined;
  const finish = (isEnded: boolean) => {
    if (record && type === 'Account') {
      account = cleanText(record.fields.get('N') ?? '');
      requireAccountName(account);
    } else if (record) records.push({ ...record, isEnded });
    requireRows(records.length);
    record = undefined;
  };
  for (const { line, content } of linesOf(text)) {
    if (content.startsWith('!')) {
      finish(true);
      if (/^!(Option|Clear)\b/i.test(content)) continue;
      type = sectionOf(content, line);
      statement = { account };
      account = '';
    } else if (content.startsWith('^')) finish(true);
    else if (content.trim() !== '') {
      if (type === undefined) throw noSection();
      record ??= { line, type, statement, fields: new Map(), memo: [], problems: [], isEnded: false };
      addLine(record, content.trimStart(), line);
    }
  }
  finish(false);
  if (type === undefined) throw noSection();
  return records;
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
  if (!isPayment(record)) {
    if (!fields.has(letter)) fields.set(letter, value);
    return;
  }
  const addProblem = (message: string) =>
    problems.push({ column: letter, value: content.slice(0, 200), message });
  if (!READ.includes(letter)) {
    if (!UNREAD.includes(letter)) addProblem(`QIF has no such line in a payment (line ${line}).`);
  } else if (!fields.has(letter)) {
    fields.set(letter, value);
    const [amount, again] = [fields.get('T'), fields.get('U')];
    if (amount !== undefined && again !== undefined && amount !== again) {
      addProblem(`The payment has two amounts: T ${amount} and U ${again}.`);
    }
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

function* linesOf(text: string): Generator<{ line: number; content: string }> {
  const lines = text.replace(/\r\n?/g, '\n');
  let line = 1;
  for (let at = 0; at < lines.length; line++) {
    const end = lines.indexOf('\n', at);
    const next = end === -1 ? lines.length : end;
    yield { line, content: lines.slice(at, next) };
    at = next + 1;
  }
}
