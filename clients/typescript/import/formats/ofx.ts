/** OFX and QFX: version 1 is SGML without closing tags, version 2 is XML. The reader uses the tags only. */

import { requireAccountName, requireRows } from '../files/bounds.ts';
import { ofxTags } from '../files/ofx-tags.ts';
import { ImportError } from '../import-error.ts';
import type { ImportOptions } from '../options.ts';
import { chosenSign } from '../questions/sign-question.ts';
import type { ParsedFile, ParsedRow, RowProblem, StatementEnds } from '../rows/parsed-row.ts';
import { markRelations, skipAnswered } from '../rows/relations.ts';
import { negated, type ParsedAmount, readAmount } from '../values/amounts.ts';
import { readDate } from '../values/dates.ts';
import { type BankRow, ownReference, parsedBankRow, referenceIn } from './bank-row.ts';
import {
  areTyped,
  directionOfType,
  type Fields,
  openStatements,
  requireSettledSigns,
  transactionType,
} from './ofx-direction.ts';
import { addField, MONEY_VALUE, ofxDescription, TRANSACTIONS } from './ofx-fields.ts';

const ACCOUNT_GROUPS = ['BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM'];
/** Groups without payments: balances, holdings, prices, sums of a closed statement. */
const NO_PAYMENTS =
  /^(AVAILBAL|BALLIST|INVBAL|INVPOSLIST|INVOOLIST|SECLIST|INV401K|INV401KBAL|CLOSING|CCCLOSING|REWARDINFO|STMTENDRS|CCSTMTENDRS)$/;
/** Elements of a statement that are never payments: dates, rates, and the cash advance limit of a card. */
const NO_MONEY = /^DT|RATE|PCT|YIELD|^CASHADVBALAMT$/;
interface Statement {
  ends: StatementEnds;
  account: Fields;
  balance: Fields;
  currency: string;
  /** A credit card: a balance without a minus may be a debt. */
  isCard: boolean;
  /** The last date of its transactions so far. */
  lastDate: string;
}

const newOfxStatement = (tag = ''): Statement => ({
  ends: { account: '' },
  account: new Map(),
  balance: new Map(),
  currency: '',
  lastDate: '',
  isCard: tag === 'CCSTMTRS',
});

/** A STMTTRN, or another element with an amount: an investment, or an unknown element. */
interface OfxItem {
  name: string;
  line: number;
  statement: Statement;
  fields: Fields;
  problems: RowProblem[];
}

/**
 * The transactions of all accounts of the file. The row is the ordinal of the transaction. FITID is unique only within its account, so the
 * reference is prefixed with the account. Investments and pending payments are skipped.
 * @throws ImportError `unreadable_file`
 */
export function rowsOfOfx(text: string, options: ImportOptions): ParsedFile {
  const { accountLabel, rates } = options;
  if (!/<(\w+:)?OFX[\s>]/i.test(text))
    throw new ImportError('unreadable_file', 'The file is not OFX: it has no <OFX> element.', 'format');
  const { items, statements } = itemsOfText(text);
  const open = openStatements(items);
  const chosen = chosenSign(options, OFX_NAMES.amount);
  const isByType = options.map?.unsigned === OFX_NAMES.amount && areTyped(items, open);
  if (chosen === undefined && !isByType) requireSettledSigns(items, open);
  const idInAccount = ({ statement, fields }: OfxItem, name: string) =>
    fields.has(name) && `${statement.ends.account}\n${fields.get(name)}`;
  const corrections = new Map(items.map((item, index) => [idInAccount(item, 'CORRECTFITID'), index + 1]));
  corrections.delete(false);
  const parsedRows = items.map((item, index) => {
    // A bank may give a correction the id of the corrected payment.
    const correctedBy = isCorrection(item) ? undefined : corrections.get(idInAccount(item, 'FITID'));
    const isOpen = open.has(item.statement);
    const isSpent = isOpen && (isByType ? directionOfType(item.fields) === 'expense' : chosen === -1);
    return rowOfOfx(index + 1, item, { accountLabel, rates, isSpent, correctedBy });
  });
  skipAnswered(parsedRows, options.rowMeanings);
  markRelations(parsedRows, options.rowMeanings);
  return { parsedRows, statements, columnNames: { date: OFX_NAMES.date, amount: OFX_NAMES.amount } };
}

function itemsOfText(text: string): { items: OfxItem[]; statements: StatementEnds[] } {
  const items: OfxItem[] = [];
  const statements: StatementEnds[] = [];
  let statement = newOfxStatement();
  let item: OfxItem | undefined;
  /** The group of elements around the tag: an account, a balance, investments, or one whose amounts are no payments. */
  let group = '';
  const begin = (name: string, line: number): OfxItem => {
    finish();
    const begun: OfxItem = { name, line, statement, fields: new Map(), problems: [] };
    items.push(begun);
    requireRows(items.length);
    return begun;
  };
  const finish = () => {
    const date = ofxDate(item?.fields.get('DTPOSTED') ?? '') ?? '';
    if (date > statement.lastDate) statement.lastDate = date;
    item = undefined;
  };
  let end: string | undefined;
  for (const { tag, value, line } of ofxTags(text)) {
    // An end-of-file mark may follow, outside of all elements.
    end = tag === '/OFX' ? tag : undefined;
    if (tag === 'STMTTRN' || tag === 'STMTTRNP') item = begin(tag, line);
    else if (/^\w*STMTRS$/.test(tag)) {
      finish();
      statement = newOfxStatement(tag);
      group = '';
      statements.push(statement.ends);
      requireRows(statements.length);
    } else if (/^\/\w*STMTRS$/.test(tag)) {
      finish();
      statement = newOfxStatement();
    } else if (item) {
      if (tag === `/${item.name}` || /^\/(BANKTRANLISTP?|INVTRANLIST)$/.test(tag)) finish();
      else addField(item, tag, value, line);
    } else if (group === 'INVTRANLIST' && value === '' && /^[A-Z]/.test(tag) && tag !== 'INVBANKTRAN') {
      item = begin(tag, line);
    } else if (tag === `/${group}`) {
      if (group === 'LEDGERBAL') addClosing(statement);
      group = '';
    } else if (ACCOUNT_GROUPS.includes(group)) {
      if (ACCOUNT_TAGS.includes(tag)) setAccount(statement, tag, value);
    } else if (group === 'LEDGERBAL') statement.balance.set(tag, value);
    else if (NO_PAYMENTS.test(group)) continue;
    else if (isGroup(tag) && value === '') group = tag;
    else if (tag === 'CURDEF') statement.currency = value;
    else if (tag === 'DTSTART') statement.ends.from = ofxDate(value);
    else if (tag === 'DTEND') statement.ends.to = ofxDate(value);
    else if (isUnknownMoney(tag, value, statements.at(-1) === statement.ends)) {
      begin(tag, line).fields.set('TRNAMT', value);
    }
  }
  finish();
  if (end === undefined) {
    const message = 'The file is not whole: it does not end with </OFX>; download it again.';
    throw new ImportError('unreadable_file', message);
  }
  return { items, statements };
}

/** Whether an element around transactions may be unknown money. Outside of statements, only its name shows it. */
function isUnknownMoney(tag: string, value: string, isInStatement: boolean): boolean {
  if (NO_MONEY.test(tag)) return false;
  return /AMT$|^TOTAL$/.test(tag) ? /\d/.test(value) : isInStatement && MONEY_VALUE.test(value);
}

const isGroup = (tag: string) =>
  ACCOUNT_GROUPS.includes(tag) || tag === 'LEDGERBAL' || tag === 'INVTRANLIST' || NO_PAYMENTS.test(tag);

const ACCOUNT_TAGS = ['BANKID', 'ACCTID'];

function setAccount({ account, ends }: Statement, tag: string, value: string): void {
  account.set(tag, value);
  requireAccountName(value);
  ends.account = ACCOUNT_TAGS.map((name) => account.get(name))
    .filter((text) => text)
    .join(' ');
}

const OFX_NAMES = {
  date: 'DTPOSTED',
  amount: 'TRNAMT',
  description: 'MEMO',
  reference: 'FITID',
};

interface OfxOptions extends Pick<ImportOptions, 'accountLabel' | 'rates'> {
  /** Whether amounts without a minus are money out. */
  isSpent: boolean;
  /** The row that corrects this one. */
  correctedBy: number | undefined;
}

function rowOfOfx(row: number, item: OfxItem, options: OfxOptions): ParsedRow {
  const { fields, statement, problems } = item;
  const { account, currency, ends } = statement;
  const field = (name: string) => fields.get(name) ?? '';
  const texts = {
    date: field('DTPOSTED') || field('DTTRADE') || field('DTTRAN'),
    amount: field('TRNAMT') || field('TOTAL'),
  };
  const fitid = ownReference(field('FITID'));
  const type = transactionType(fields);
  const said = directionOfType(fields);
  const bankRow: BankRow = {
    row,
    statement: ends,
    texts,
    date: ofxDate(texts.date),
    dateProblem: { message: 'This is not a date of OFX.' },
    amount: options.isSpent ? negated(readOfxAmount(texts.amount)) : readOfxAmount(texts.amount),
    directions: said ? [{ says: said, column: 'TRNTYPE', text: type }] : [],
    currencies: [
      { says: field('CURRENCY'), column: 'CURSYM', text: field('CURRENCY') },
      { says: currency, column: 'CURDEF', text: currency },
    ],
    ...ofxDescription(field),
    reference: referenceIn(options.accountLabel ?? account.get('ACCTID') ?? '', fitid),
    problems: [...problems, ...ofxProblems(item)],
    skipReason: ofxSkipReason(item, options),
  };
  return parsedBankRow(bankRow, OFX_NAMES, options);
}

function ofxProblems({ name, line, fields }: OfxItem): RowProblem[] {
  const amount = fields.get('TRNAMT') ?? '';
  const problem = (column: string, message: string) => [{ column, value: fields.get(column) ?? '', message }];
  if (isCorrection({ fields })) {
    const message = 'The bank corrects a payment by this row: correct it in the books.';
    return problem(fields.has('CORRECTFITID') ? 'CORRECTFITID' : 'CORRECTACTION', message);
  }
  if (!TRANSACTIONS.includes(name)) {
    const message = `The amount is in no element that OFX has for payments (line ${line}).`;
    return [{ column: name, value: amount, message }];
  }
  return [];
}

const isCorrection = ({ fields }: Pick<OfxItem, 'fields'>) =>
  fields.has('CORRECTFITID') || fields.has('CORRECTACTION');

function ofxSkipReason({ name, fields }: OfxItem, { correctedBy }: OfxOptions): string | undefined {
  if (name === 'STMTTRNP') return 'The payment is pending.';
  if (transactionType(fields) === 'HOLD') return 'The amount is held, and is no payment yet.';
  if (name !== 'STMTTRN' && !fields.has('TRNAMT')) {
    const total = fields.get('TOTAL');
    return `${name} of an investment account${total === undefined ? '' : `, of ${total.slice(0, 40)},`} is no payment.`;
  }
  return correctedBy === undefined ? undefined : `Row ${correctedBy} corrects it.`;
}

const ofxDate = (text: string) => (/^\d{8}/.test(text) ? readDate(text.slice(0, 8), 'ymd') : undefined);

/** The decimal mark is a point or a comma. A zero after the pence does not count, and `1,000` may be one or a thousand. */
function readOfxAmount(text: string): ParsedAmount {
  const [, pounds, pence] = /^[-+]?(\d{1,3}),(\d\d)0$/.exec(text) ?? [];
  if (pence !== undefined)
    return { problem: `The amount may be ${pounds}.${pence} or ${pounds},${pence}0.00.` };
  const decimal = /^[^.]*,(\d{0,2}|\d{4,})$/.test(text) ? ',' : '.';
  return readAmount(text.replace(/(\.\d\d)0$/, '$1'), decimal);
}

/**
 * The balance that the bank gives with the rows. It is the closing balance only if its date is the last day of the rows: many banks give
 * the balance of the day of the download, and the file may lack rows up to that day.
 */
function addClosing({ balance, lastDate, ends, isCard }: Statement): void {
  const date = ofxDate(balance.get('DTASOF') ?? '');
  const amount = readOfxAmount(balance.get('BALAMT') ?? '');
  if (date === undefined || !('pence' in amount)) return;
  const isOfRows = date >= lastDate && (ends.to === undefined || date <= ends.to);
  // Some banks write the debt of a card without a minus.
  if (isOfRows && !(isCard && amount.pence > 0)) ends.closing = { date, pence: amount.pence };
}
