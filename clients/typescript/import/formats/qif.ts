/** QIF of Quicken and some banks: records of lines, each with a letter for its field. */

import { cleanText, joinTexts } from '../files/cells.ts';
import type { DecimalMark, ImportOptions } from '../options.ts';
import type { ParsedFile, ParsedRow, RowProblem } from '../rows/parsed-row.ts';
import { markRelations, skipAnswered } from '../rows/relations.ts';
import { doubtOf, noPaymentReason } from '../table/no-payment.ts';
import { dateProblem } from '../table/rows-of-table.ts';
import { readAmount, visible } from '../values/amounts.ts';
import { requireUnchangedDates } from '../values/changed-dates.ts';
import { currencyOfHeading, currencyOfLine } from '../values/currency.ts';
import { datedRows, isOrderNeeded, readDate, requireRecentYears, resolveDateOrder } from '../values/dates.ts';
import { BALANCE } from '../values/total-texts.ts';
import { type BankRow, parsedBankRow } from './bank-row.ts';
import { isOfOwnAccount, qifDirections } from './qif-direction.ts';
import { INVESTMENTS, isQifPayment, type QifRecord, qifRecordsOf } from './qif-records.ts';

const QIF_NAMES = { date: 'D', amount: 'T', description: 'P', reference: '' };

/**
 * The records of payments, by the line on which each begins. A record with splits (S, E, $) is one row, whole. The
 * order of day and month holds for the file.
 * @throws ImportError `unreadable_file`, also for a file that is cut; `ambiguous_dates`
 */
export function rowsOfQif(text: string, options: ImportOptions): ParsedFile {
  const { dateFormat, decimal = '.' } = options;
  const records = qifRecordsOf(text);
  const payments = records.filter(isQifPayment);
  const dates = datedRows(
    payments.map(({ line, fields }) => ({ row: line, text: quickenDate(fields.get('D')) })),
  );
  const order = dateFormat ?? resolveDateOrder(dates);
  const dateNotation = { order, isOrderGiven: dateFormat !== undefined };
  // An apostrophe precedes a year.
  const withoutApostrophe = dates.filter((_, index) => !payments[index]?.fields.get('D')?.includes("'"));
  if (dateFormat === undefined) requireRecentYears(withoutApostrophe, order);
  requireUnchangedDates(dates.filter(({ numbers }) => !numbers));
  const directed = qifDirections(payments, options);
  const parsedRows = records.map((record): ParsedRow => {
    const { line, section, fields, memo, problems } = record;
    const { statement } = section;
    const field = (letter: string) => fields.get(letter) ?? '';
    const date = quickenDate(field('D'));
    const payee = cleanText(field('P'));
    const amount = fields.get('T') ?? field('U');
    const signed = directed(record);
    const firstMemo = cleanText(field('M'));
    const name = payee || firstMemo;
    const bankRow: BankRow = {
      row: line,
      statement,
      reference: '',
      isDecimalOpen: true,
      currencies: section.titles.map((text) => ({
        says: currencyOfHeading(text) ?? '',
        column: 'the account',
        text,
        isHint: currencyOfLine(text) === undefined,
      })),
      date: readDate(date, dateNotation),
      dateProblem: dateProblem(date, dateNotation),
      amount: signed.amount,
      description: joinTexts([payee, cleanText([field('M'), ...memo].join(' '))]),
      // References are derived from the first line of the memo, as in the first version.
      ...(memo.length > 0 && {
        earlier: { description: joinTexts([payee, firstMemo]), keepsReference: true },
      }),
      texts: { date: field('D'), amount },
      problems: [...problems, ...amountProblems(record, amount, decimal)],
      skipReason: qifSkipReason(record, name, amount) ?? signed.skipReason,
    };
    const parsed = parsedBankRow(bankRow, QIF_NAMES, options);
    const answer = options.rowMeanings?.[line];
    if (parsed.skipReason === undefined && answer === undefined && BALANCE.test(name)) {
      parsed.named = 'balance';
      const value = name;
      parsed.problems.push({
        field: 'description',
        column: 'P',
        value,
        message: doubtOf('balance'),
        option: 'rowMeanings',
      });
    }
    // Quicken writes the opening balance of an account as its first record.
    if (
      isQifPayment(record) &&
      ((/^opening balance$/i.test(name) && answer !== 'keep') || isOfOwnAccount(record)) &&
      bankRow.date !== undefined &&
      'pence' in bankRow.amount
    ) {
      statement.opening ??= { date: bankRow.date, pence: bankRow.amount.pence };
    }
    return parsed;
  });
  skipAnswered(parsedRows, options.rowMeanings);
  markRelations(parsedRows, options.rowMeanings);
  const isOpen = dates.some(({ text: each }) => isOrderNeeded(each));
  return {
    parsedRows,
    columnNames: { date: 'D', amount: 'T' },
    dateNotation,
    dateFormat: isOpen ? order : null,
  };
}

function qifSkipReason(record: QifRecord, name: string, amount: string): string | undefined {
  const { section, fields } = record;
  if (isQifPayment(record)) {
    if (isOfOwnAccount(record) || (amount === '' && BALANCE.test(name))) return noPaymentReason('balance');
    const isVoid = /^\*\*void\*\*/i.test(name) || /^v/i.test(fields.get('C') ?? '');
    return isVoid ? 'The payment is void.' : undefined;
  }
  const described =
    INVESTMENTS.includes(section.type.toLowerCase()) && amount !== '' ? `, of ${amount.slice(0, 40)},` : '';
  return `A record of !Type:${section.type.slice(0, 40)}${described} is no payment.`;
}

/** The reason to doubt the amount of a payment. */
function amountProblems(record: QifRecord, amount: string, decimal: DecimalMark): RowProblem[] {
  const { fields, splits } = record;
  const problems: RowProblem[] = [];
  const penceOf = (text: string) => {
    const read = readAmount(text, decimal);
    return 'pence' in read ? read.pence : undefined;
  };
  const again = fields.get('U') ?? amount;
  if (again !== amount && (penceOf(again) ?? again) !== (penceOf(amount) ?? amount)) {
    const message = `The payment has two amounts: T ${amount} and U ${again}.`;
    problems.push({ field: 'amount', column: 'T', value: amount, message });
  }
  const parts = splits.map(penceOf);
  const sum = parts.reduce((all = Number.NaN, part = Number.NaN) => all + part, 0);
  if (splits.length > 0 && !Number.isNaN(sum) && sum !== penceOf(amount)) {
    const message = `The splits of the payment ($) do not add up to its amount, T ${amount}.`;
    problems.push({ field: 'amount', column: '$', value: splits.join(' '), message });
  }
  return problems;
}

/** Quicken writes 13/04'26 for 2026, and a space for a zero: 3/ 4' 5. */
function quickenDate(field = ''): string {
  const text = visible(field);
  const [, first, mark, second, year] = /^\s*(\d{1,2})([/.-])\s*(\d{1,2})'\s*(\d{1,4})\s*$/.exec(text) ?? [];
  if (mark !== undefined) return [first, second, (year ?? '').padStart(2, '0')].join(mark);
  return text.length > 64 ? text : text.replace(/([/.-])\s+(?=\d)/g, '$1').trim();
}
