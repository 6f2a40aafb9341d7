/** QIF, as Quicken and some banks write it: records of lines, each with a letter that says what it is. */

import { CELL_LENGTH_MAX, requireAccountName, requireRows } from '../files/bounds.ts';
import { cleanText, joinTexts } from '../files/cells.ts';
import { type DateFormat, ImportError, type ImportOptions } from '../options.ts';
import { readAmount } from '../values/amounts.ts';
import { isOrderNeeded, readDate, settleDateOrder } from '../values/dates.ts';
import { type BankRow, draftOfBankRow } from './bank-row.ts';
import type { Draft, Drafts, StatementEnds } from './draft.ts';
import { BALANCE, dateProblem } from './table.ts';

const NAMES = { date: 'D', amount: 'T', currency: '', description: 'P', reference: '' };
/** The types whose records are payments, in lower case. */
const PAYMENT_TYPES = ['bank', 'cash', 'ccard', 'oth a', 'oth l'];
/** The lines of a record that are read: date, amount, amount again, payee, memo, and the name of an account. */
const LETTERS = ['D', 'T', 'U', 'P', 'M', 'N'];

interface QifRecord {
  /** On which it begins. */
  line: number;
  /** Of its section, as the file has it. */
  type: string;
  statement: StatementEnds;
  fields: Map<string, string>;
}

/**
 * The records of payments, by the line on which each begins. The lines of splits (S, E, $) are not read: the record is one row, whole. The
 * order of day and month holds for the file.
 * @throws ImportError `unreadable_file`, `ambiguous_dates`
 */
export function draftsOfQif(
  text: string,
  { dateFormat, decimal = '.' }: ImportOptions,
): Drafts & { order: DateFormat; dateFormat: DateFormat | null } {
  const records = recordsOf(text);
  const dates = records
    .filter(isPayment)
    .map(({ line, fields }) => ({ row: line, text: dateText(fields.get('D')) }));
  const order = dateFormat ?? settleDateOrder(dates);
  const drafts = records.map((record): Draft => {
    const { line, statement, fields, type } = record;
    const field = (letter: string) => fields.get(letter) ?? '';
    const date = dateText(field('D'));
    const payee = cleanText(field('P'));
    const bankRow: BankRow = {
      ...{ row: line, statement, currency: '', reference: '' },
      date: readDate(date, order, dateFormat !== undefined),
      dateProblem: dateProblem(date, order),
      amount: readAmount(fields.get('T') ?? field('U'), decimal),
      description: joinTexts([payee, cleanText(field('M'))]),
      texts: { date: field('D'), amount: fields.get('T') ?? field('U') },
      skipReason: isPayment(record)
        ? BALANCE.test(payee)
          ? 'This is a balance, not a transaction.'
          : undefined
        : `A record of !Type:${type.slice(0, 40)} is no payment.`,
    };
    const draft = draftOfBankRow(bankRow, NAMES);
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

const isPayment = ({ type }: QifRecord) => PAYMENT_TYPES.includes(type.toLowerCase());

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
  const finish = () => {
    if (record && type === 'Account') {
      account = cleanText(record.fields.get('N') ?? '');
      requireAccountName(account);
    } else if (record) records.push(record);
    requireRows(records.length);
    record = undefined;
  };
  for (const { line, content } of linesOf(text)) {
    if (content.startsWith('!')) {
      finish();
      const section = /^!(?:Type:\s*(.+)|Account)$/i.exec(content.slice(0, 100).trim());
      if (!section) continue;
      type = section[1] ?? 'Account';
      statement = { account };
      account = '';
    } else if (content.startsWith('^')) finish();
    else if (content.trim() !== '') {
      if (type === undefined) throw noSection();
      record ??= { line, type, statement, fields: new Map() };
      const letter = content.charAt(0).toUpperCase();
      if (LETTERS.includes(letter) && !record.fields.has(letter)) {
        // One character more than a cell may have shows that the text is too long.
        record.fields.set(letter, content.slice(1, CELL_LENGTH_MAX + 2).trim());
      }
    }
  }
  finish();
  if (type === undefined) throw noSection();
  return records;
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
