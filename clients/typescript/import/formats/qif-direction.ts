/** The direction of payments of QIF: by the signs of their section, by a person, or by the categories of the payments. */
import { groupBy } from '../../group-by.ts';
import { chosenValues, meaningOf } from '../columns/chosen-columns.ts';
import { tableDirections } from '../columns/directions.ts';
import type { Layout } from '../columns/layout.ts';
import type { TableRow } from '../files/cells.ts';
import type { DecimalMark, ImportOptions } from '../options.ts';
import { refusalOf } from '../questions/refusal.ts';
import { chosenSign, signQuestion } from '../questions/sign-question.ts';
import { MEANINGS, type Question } from '../questions-and-answers.ts';
import { readSignedAmount } from '../table/signed-amount.ts';
import { negated, type ParsedAmount, readAmount } from '../values/amounts.ts';
import { isInLetters, isMinusOut, namesCardOrLoan } from '../values/convention.ts';
import type { QifRecord, QifSection } from './qif-records.ts';

const [AMOUNT, CATEGORY] = ['T', 'L'];
/** More categories say no direction. */
const CATEGORIES_MAX = 12;

/** Quicken writes the opening balance as a transfer from the account to itself, whatever its language. */
export const isOfOwnAccount = ({ section, fields }: QifRecord) =>
  section.statement.account !== '' && fields.get(CATEGORY) === `[${section.statement.account}]`;

const qifAmountText = ({ fields }: QifRecord) => fields.get(AMOUNT) ?? fields.get('U') ?? '';

interface Directed {
  amount: ParsedAmount;
  /** The category of a payment that a person leaves out. */
  skipReason?: string;
}

/** Returns the signed amount of a payment. @throws ImportError `unresolved_columns` for a section whose signs say nothing */
export function qifDirections(
  payments: readonly QifRecord[],
  options: ImportOptions,
): (record: QifRecord) => Directed {
  const { decimal = '.', fileName = '' } = options;
  const open = openSections(payments, fileName);
  const openPayments = payments.filter((record) => open.has(record.section) && !isOfOwnAccount(record));
  const chosen = chosenSign(options, AMOUNT);
  const { read, isSettled, questions } = answeredCategories(openPayments, decimal, options);
  if (openPayments.length > 0 && chosen === undefined && !isSettled) {
    const amounts = openPayments.map((record) => ({ text: qifAmountText(record) }));
    const sign = signQuestion({ name: AMOUNT, columns: [] }, amounts);
    const direction: Question =
      questions.length > 0 ? { ...sign, choices: [...sign.choices, 'unsigned'] } : sign;
    const accounts = payments.map(({ section }) => section.statement.account);
    throw refusalOf([...questions, direction], accounts);
  }
  return (record) => {
    const amount = readAmount(qifAmountText(record), decimal);
    if (!open.has(record.section)) return { amount };
    return read(record) ?? { amount: chosen === -1 ? negated(amount) : amount };
  };
}

/** Applies the answers about categories, with a question about the others. A minus takes a payment back, as in tables. */
function answeredCategories(
  payments: readonly QifRecord[],
  decimal: DecimalMark,
  { values = {} }: ImportOptions,
) {
  const header = [AMOUNT, CATEGORY];
  const { [CATEGORY]: answers = {} } = values;
  const rowOf = (record: QifRecord): TableRow => {
    const cells = [qifAmountText(record), record.fields.get(CATEGORY) ?? ''];
    return { row: record.line, cells, raw: cells };
  };
  const layout: Layout = {
    bank: undefined,
    header,
    firstRow: 0,
    isTypeMapped: false,
    isExact: false,
    isPositiveSpent: false,
    resolvedColumns: new Set(),
    headings: new Map(),
    columns: { date: -1, amount: 0, description: [], account: [] },
    values: chosenValues(header, header.length, { values: { [CATEGORY]: answers } }),
  };
  const directions = tableDirections(payments.map(rowOf), layout, decimal);
  const chosen = layout.values.get(1) ?? new Map();
  const found = new Map(
    payments.map(({ fields }) => fields.get(CATEGORY) ?? '').map((text) => [text.toLowerCase(), text]),
  );
  const texts = [...found.values()];
  const left = texts.filter((text) => meaningOf(chosen, text) === undefined);
  const isAsked = left.length > 0 && texts.some((text) => text !== '') && texts.length <= CATEGORIES_MAX;
  const question: Question = {
    kind: 'values',
    columns: [],
    name: CATEGORY,
    rows: [],
    values: left,
    message: `The categories (${CATEGORY}) may say the direction: ${left.slice(0, 3).join(', ')}.`,
    choices: MEANINGS,
  };
  const read = (record: QifRecord): Directed | undefined => {
    const row = rowOf(record);
    const category = row.cells[1] ?? '';
    const meaning = meaningOf(chosen, category);
    if (meaning === undefined || meaning === 'keep') return undefined;
    const amount = readAmount(qifAmountText(record), decimal);
    if (meaning === 'skip') return { amount, skipReason: `${CATEGORY} is ${category || 'empty'}.` };
    const notation = { layout, decimal, directions, isPence: false };
    const {
      type,
      pence = 0,
      problem,
    } = readSignedAmount(row, (index) => row.cells[index ?? -1] ?? '', notation);
    if ('problem' in amount) return { amount };
    return {
      amount: problem ? { problem: problem.message } : { pence: type === 'expense' ? -pence : pence },
    };
  };
  return { read, isSettled: directions.isTyped, questions: isAsked ? [question] : [] };
}

/** Sections whose signs say nothing: a minus is not on most payments, or the section is of a card or a loan. */
function openSections(payments: readonly QifRecord[], fileName: string): Set<QifSection> {
  const isOpen = ([section, records]: [QifSection, QifRecord[]]) => {
    const amounts = records
      .filter((record) => !isOfOwnAccount(record))
      .map((record) => ({ text: qifAmountText(record), description: record.fields.get('P') ?? '' }));
    const isOfCard =
      /^(?:ccard|oth l)$/i.test(section.type) || [...section.titles, fileName].some(namesCardOrLoan);
    return amounts.length > 0 && (isOfCard || !(isInLetters(amounts) || isMinusOut(amounts)));
  };
  return new Set([...groupBy(payments, ({ section }) => section)].filter(isOpen).map(([section]) => section));
}
