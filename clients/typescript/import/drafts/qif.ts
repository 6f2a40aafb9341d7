/** QIF of Quicken and some banks: records of lines, each with a letter for its field. */

import { groupBy } from '../../group-by.ts';
import { CELL_LENGTH_MAX, requireAccountName, requireRows } from '../files/bounds.ts';
import { cleanText, joinTexts } from '../files/cells.ts';
import { type DateFormat, type DecimalMark, ImportError, type ImportOptions } from '../options.ts';
import { openQuestions } from '../questions/open-questions.ts';
import { chosenSign, signQuestion } from '../questions/sign-question.ts';
import { negated, readAmount } from '../values/amounts.ts';
import { isInLetters, isMinusOut, namesCardOrLoan } from '../values/convention.ts';
import { currencyOfHeading, currencyOfLine } from '../values/currency.ts';
import { isOrderNeeded, readDate, requireRecentYears, resolveDateOrder } from '../values/dates.ts';
import { BALANCE } from '../values/totals.ts';
import { visible } from '../values/visible.ts';
import { type BankRow, draftOfBankRow } from './bank-row.ts';
import type { Draft, Drafts, Problem, StatementEnds } from './draft.ts';
import { leaveOut, markRelations } from './relations.ts';
import { dateProblem } from './table.ts';

const NAMES = { date: 'D', amount: 'T', description: 'P', reference: '' };
/** The types of sections, in lower case. */
const PAYMENTS = ['bank', 'cash', 'ccard', 'oth a', 'oth l'];
const INVESTMENTS = ['invst', 'port', '401(k)', '401(k)/403(b)'];
const LISTS = ['account', 'cat', 'class', 'memorized', 'security', 'prices', 'budget', 'tag', 'template'];
/** The lines of a payment that are read: date, amount, second amount, payee and memo. */
const READ = ['D', 'T', 'U', 'P', 'M'];
/** The lines that are checked and not part of the entry: cleared, category or account, the amounts of splits. */
const LOOKED_AT = ['C', 'L', '$'];
/** The ignored lines: number, address, the other lines of splits, reimbursable. */
const UNREAD = ['N', 'A', 'S', 'E', '%', 'F'];

interface Section {
  /** The text in the file. */
  type: string;
  statement: StatementEnds;
  /** The name and the description of the account. */
  titles: string[];
}

interface QifRecord {
  /** The line on which it begins. */
  line: number;
  section: Section;
  fields: Map<string, string>;
  /** The further lines of the memo. */
  memo: string[];
  /** The amounts of its splits. */
  splits: string[];
  problems: Problem[];
  /** Whether a line ^ ends it. */
  isEnded: boolean;
}

/**
 * The records of payments, by the line on which each begins. A record with splits (S, E, $) is one row, whole. The
 * order of day and month holds for the file.
 * @throws ImportError `unreadable_file`, also for a file that is cut; `ambiguous_dates`
 */
export function draftsOfQif(
  text: string,
  options: ImportOptions,
): Drafts & { order: DateFormat; dateFormat: DateFormat | null } {
  const { dateFormat, decimal = '.', fileName = '' } = options;
  const records = recordsOf(text);
  requireWhole(text, records);
  const payments = records.filter(isPayment);
  const dates = payments.map(({ line, fields }) => ({ row: line, text: dateText(fields.get('D')) }));
  const order = dateFormat ?? resolveDateOrder(dates);
  // An apostrophe precedes a year.
  const withoutApostrophe = dates.filter((_, index) => !payments[index]?.fields.get('D')?.includes("'"));
  if (dateFormat === undefined) requireRecentYears(withoutApostrophe, order);
  const open = openSections(payments, fileName);
  const chosen = chosenSign(options, NAMES.amount);
  if (chosen === undefined && open.size > 0) {
    const amounts = payments.filter(({ section }) => open.has(section)).map(amountOf);
    throw openQuestions([signQuestion({ name: NAMES.amount, columns: [] }, amounts)]);
  }
  const drafts = records.map((record): Draft => {
    const { line, section, fields, memo, problems } = record;
    const { statement } = section;
    const field = (letter: string) => fields.get(letter) ?? '';
    const date = dateText(field('D'));
    const payee = cleanText(field('P'));
    const amount = fields.get('T') ?? field('U');
    const firstMemo = cleanText(field('M'));
    const bankRow: BankRow = {
      ...{ row: line, statement, reference: '', isDecimalOpen: true },
      currencies: section.titles.map((text) => ({
        ...{ says: currencyOfHeading(text) ?? '', column: 'the account', text },
        isHint: currencyOfLine(text) === undefined,
      })),
      date: readDate(date, order, dateFormat !== undefined),
      dateProblem: dateProblem(date, order),
      amount:
        chosen === -1 && open.has(section)
          ? negated(readAmount(amount, decimal))
          : readAmount(amount, decimal),
      description: joinTexts([payee, cleanText([field('M'), ...memo].join(' '))]),
      // References are derived from the first line of the memo, as in the first version.
      ...(memo.length > 0 && {
        earlier: { description: joinTexts([payee, firstMemo]), keepsReference: true },
      }),
      texts: { date: field('D'), amount },
      problems: [...problems, ...amountProblems(record, amount, decimal)],
      skipReason: skipReasonOf(record, payee || firstMemo, amount),
    };
    const draft = draftOfBankRow(bankRow, NAMES, options);
    // Quicken writes the opening balance of an account as its first record.
    if (
      isPayment(record) &&
      (/^opening balance$/i.test(payee || firstMemo) || isOfOwnAccount(record)) &&
      bankRow.date !== undefined &&
      'pence' in bankRow.amount
    ) {
      statement.opening ??= { date: bankRow.date, pence: bankRow.amount.pence };
    }
    return draft;
  });
  leaveOut(drafts, options.rows);
  markRelations(drafts, options.rows);
  const isOpen = dates.some(({ text: each }) => isOrderNeeded(each));
  return { drafts, columnNames: { date: 'D', amount: 'T' }, order, dateFormat: isOpen ? order : null };
}

const isPayment = ({ section }: Pick<QifRecord, 'section'>) => PAYMENTS.includes(section.type.toLowerCase());

/** Quicken writes the opening balance as a transfer from the account to itself, whatever its language. */
const isOfOwnAccount = ({ section, fields }: QifRecord) =>
  section.statement.account !== '' && fields.get('L') === `[${section.statement.account}]`;

function skipReasonOf(record: QifRecord, name: string, amount: string): string | undefined {
  const { section, fields } = record;
  if (isPayment(record)) {
    if (BALANCE.test(name) || isOfOwnAccount(record)) return 'This is a balance, not a transaction.';
    const isVoid = /^\*\*void\*\*/i.test(name) || /^v/i.test(fields.get('C') ?? '');
    return isVoid ? 'The payment is void.' : undefined;
  }
  const of =
    INVESTMENTS.includes(section.type.toLowerCase()) && amount !== '' ? `, of ${amount.slice(0, 40)},` : '';
  return `A record of !Type:${section.type.slice(0, 40)}${of} is no payment.`;
}

const amountOf = ({ fields }: QifRecord) => ({
  text: fields.get('T') ?? fields.get('U') ?? '',
  description: fields.get('P') ?? '',
});

/** Sections whose signs say nothing: a minus is not on most payments, or the section is of a card or a loan. */
function openSections(payments: readonly QifRecord[], fileName: string): Set<Section> {
  const isOpen = ([section, records]: [Section, QifRecord[]]) => {
    const amounts = records.filter((record) => !isOfOwnAccount(record)).map(amountOf);
    const isOfCard =
      section.type.toLowerCase() === 'ccard' || [...section.titles, fileName].some(namesCardOrLoan);
    return amounts.length > 0 && (isOfCard || !(isInLetters(amounts) || isMinusOut(amounts)));
  };
  return new Set([...groupBy(payments, ({ section }) => section)].filter(isOpen).map(([section]) => section));
}

/** The reason to doubt the amount of a payment. */
function amountProblems(record: QifRecord, amount: string, decimal: DecimalMark): Problem[] {
  const { fields, splits } = record;
  const problems: Problem[] = [];
  const penceOf = (text: string) => {
    const read = readAmount(text, decimal);
    return 'pence' in read ? read.pence : undefined;
  };
  const again = fields.get('U') ?? amount;
  if (again !== amount && (penceOf(again) ?? again) !== (penceOf(amount) ?? amount)) {
    const message = `The payment has two amounts: T ${amount} and U ${again}.`;
    problems.push({ field: 'amount', column: 'T', value: amount.slice(0, 200), message });
  }
  const parts = splits.map(penceOf);
  const sum = parts.reduce((all = Number.NaN, part = Number.NaN) => all + part, 0);
  if (splits.length > 0 && !Number.isNaN(sum) && sum !== penceOf(amount)) {
    const message = `The splits of the payment ($) do not add up to its amount, T ${amount}.`;
    problems.push({ field: 'amount', column: '$', value: splits.join(' ').slice(0, 200), message });
  }
  return problems;
}

/** Detects a cut last record. A file that only lacks its last ^ is whole. */
function requireWhole(text: string, records: readonly QifRecord[]): void {
  const last = records.at(-1);
  if (!last || last.isEnded || !isPayment(last)) return;
  const others = records.filter((record) => record !== last && isPayment(record));
  const isCut =
    !/[\r\n]/.test(text.slice(text.trimEnd().length)) ||
    (others.length > 0 &&
      READ.some(
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
function dateText(field = ''): string {
  const text = visible(field);
  const [, first, mark, second, year] = /^\s*(\d{1,2})([/.-])\s*(\d{1,2})'\s*(\d{1,4})\s*$/.exec(text) ?? [];
  if (mark !== undefined) return [first, second, (year ?? '').padStart(2, '0')].join(mark);
  return text.length > 64 ? text : text.replace(/([/.-])\s+(?=\d)/g, '$1').trim();
}

function recordsOf(text: string): QifRecord[] {
  const records: QifRecord[] = [];
  let section: Section | undefined;
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
  for (const { line, content } of linesOf(text)) {
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
  return records;
}

/** @throws ImportError for a record of a list that has the date and the amount of a payment */
function requireNoPayment({ line, section, fields }: QifRecord): void {
  const [date = '', amount = fields.get('U') ?? ''] = [fields.get('D'), fields.get('T')];
  if (!/^\d/.test(date) || !/^[-+]?\d/.test(amount)) return;
  const message = `The record on line ${line} has a date and an amount, and is in a section (${section.type}) that has no payments; put the line !Type:Bank before it.`;
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
  if (!isPayment(record)) {
    if (!fields.has(letter)) fields.set(letter, value);
    return;
  }
  const addProblem = (message: string) =>
    problems.push({ column: letter, value: content.slice(0, 200), message });
  if (letter === '$') record.splits.push(value);
  if (LOOKED_AT.includes(letter)) {
    if (!fields.has(letter)) fields.set(letter, value);
  } else if (!READ.includes(letter)) {
    if (!UNREAD.includes(letter)) addProblem(`QIF has no such line in a payment (line ${line}).`);
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
