/** CAMT.053: the statements of ISO 20022, as XML. */

import { requireAccountName, requireRows } from '../files/bounds.ts';
import { type CamtEntry, type CamtFields, readCamt } from '../files/camt-elements.ts';
import { cleanText, joinTexts } from '../files/cells.ts';
import { ImportError } from '../import-error.ts';
import type { EntryType, ImportOptions } from '../options.ts';
import type { ParsedFile, ParsedRow, RowProblem, StatementEnds } from '../rows/parsed-row.ts';
import { markRelations, skipAnswered } from '../rows/relations.ts';
import { type ParsedAmount, readAmount } from '../values/amounts.ts';
import { readDate } from '../values/dates.ts';
import type { Evidence } from '../values/evidence.ts';
import { type BankRow, ownReference, parsedBankRow, referenceIn } from './bank-row.ts';

const CAMT_NAMES = {
  date: 'BookgDt',
  amount: 'Amt',
  currency: 'Ccy',
  description: 'RmtInf',
  reference: 'AcctSvcrRef',
};
/** The status of booked entries. They alone are payments. */
const BOOKED = 'BOOK';
const NOT_BOOKED = ['PDNG', 'INFO', 'FUTR'];
const OPENING = ['OPBD', 'PRCD'];
const CLOSING = 'CLBD';

interface CamtStatement {
  ends: StatementEnds;
  currency: string;
  isPage: boolean;
  /** The declared number of entries; some banks count the transactions of entries. */
  named: number;
  entries: number;
  transactions: number;
}

const newCamtStatement = (): CamtStatement => ({
  ends: { account: '' },
  currency: '',
  isPage: false,
  named: 0,
  entries: 0,
  transactions: 0,
});

/**
 * The booked entries of all statements of the file. The row is the ordinal. An entry whose several transactions add up to it becomes one
 * row for each.
 * @throws ImportError `unreadable_file`
 */
export function rowsOfCamt(text: string, options: ImportOptions): ParsedFile {
  const parsedRows: ParsedRow[] = [];
  const statements: StatementEnds[] = [];
  let statement = newCamtStatement();
  readCamt(text, {
    statement() {
      statement = newCamtStatement();
      statements.push(statement.ends);
      requireRows(statements.length);
    },
    page(fields) {
      statement.isPage = fields.get('PgNb') !== '1' || fields.get('LastPgInd') === 'false';
    },
    days(fields) {
      statement.ends.from = camtDate(fields.get('FrDtTm') ?? '');
      statement.ends.to = camtDate(fields.get('ToDtTm') ?? '');
    },
    account(fields) {
      statement.ends.account = cleanText(fields.get('Id/IBAN') ?? fields.get('Id/Othr/Id') ?? '');
      statement.currency = fields.get('Ccy') ?? '';
      requireAccountName(statement.ends.account);
    },
    balance(fields) {
      statement.currency ||= fields.get('Amt@Ccy') ?? '';
      readCamtBalance(statement, fields);
    },
    summary(fields) {
      statement.named = Number(fields.get('TtlNtries/NbOfNtries') ?? 0);
    },
    end: () => requireWholeStatement(statement),
    entry(entry) {
      statement.entries++;
      statement.transactions += entry.details.length;
      for (const payment of paymentsOf(entry))
        parsedRows.push(rowOfCamt(parsedRows.length + 1, payment, statement, options));
      requireRows(parsedRows.length);
    },
  });
  skipAnswered(parsedRows, options.rowMeanings);
  markRelations(parsedRows, options.rowMeanings, { isSpent: true, isOfBank: true });
  return { parsedRows, statements, columnNames: { date: CAMT_NAMES.date, amount: CAMT_NAMES.amount } };
}

/** @throws ImportError for a statement with fewer entries than it declares */
function requireWholeStatement({ ends, isPage, named, entries, transactions }: CamtStatement): void {
  if (isPage || !(named > Math.max(entries, transactions))) return;
  const message = `The file is not whole: the statement of ${ends.account.slice(0, 50) || 'the account'} says that it has ${named} entries, and has ${entries}; download it again.`;
  throw new ImportError('unreadable_file', message);
}

/** The opening balance of the day, else the closing balance of the previous statement. An unreadable balance counts as absent. */
function readCamtBalance({ ends, currency }: CamtStatement, fields: CamtFields): void {
  const kind = fields.get('Tp/CdOrPrtry/Cd') ?? '';
  const date = camtDate(dateField(fields, 'Dt'));
  const amount = directedAmount(fields, fields.get('Amt') ?? '');
  if (date === undefined || !('pence' in amount) || (fields.get('Amt@Ccy') ?? 'GBP') !== (currency || 'GBP'))
    return;
  const read = { date, pence: amount.pence };
  if (kind === CLOSING) ends.closing ??= read;
  else if (kind === OPENING[0]) ends.opening = read;
  else if (kind === OPENING[1]) ends.opening ??= read;
}

interface CamtPayment {
  twice: string | undefined;
  entry: CamtFields;
  detail: CamtFields;
  amountText: string;
  amount: ParsedAmount;
  currency: string;
  reference: string;
}

function paymentsOf({ fields: entry, details, twice }: CamtEntry): CamtPayment[] {
  const amountText = entry.get('Amt') ?? '';
  const amount = directedAmount(entry, amountText);
  const none: CamtFields = new Map();
  const parts = details.map((detail) => {
    const path = detail.has('Amt') ? 'Amt' : 'AmtDtls/TxAmt/Amt';
    const partText = detail.get(path) ?? '';
    return {
      twice,
      entry,
      detail,
      amountText: partText,
      amount: directedAmount(detail.has('CdtDbtInd') ? detail : entry, partText),
      currency: detail.get(`${path}@Ccy`) ?? '',
      reference: ownReference(detail.get('Refs/AcctSvcrRef')),
    };
  });
  const currency = entry.get('Amt@Ccy') ?? '';
  const isOfAmount = (part: CamtPayment) => part.currency === currency && !hasTwoAmounts(part.detail);
  if (parts.length > 1 && parts.every(isOfAmount) && addUpTo(amount, parts)) {
    const isUnique = new Set(parts.map(({ reference }) => reference)).size === parts.length;
    return isUnique ? parts : parts.map((part) => ({ ...part, reference: '' }));
  }
  const [part] = parts;
  const own = ownReference(entry.get('AcctSvcrRef'));
  // A field of one of several transactions does not apply to the whole entry.
  const [detail, reference] = part && parts.length === 1 ? [part.detail, own || part.reference] : [none, own];
  return [{ twice, entry, detail, amountText, amount, currency, reference }];
}

function hasTwoAmounts(detail: CamtFields): boolean {
  const [own, other] = ['Amt', 'AmtDtls/TxAmt/Amt'];
  const isSameCurrency = detail.get(`${own}@Ccy`) === detail.get(`${other}@Ccy`);
  return isSameCurrency && Number(detail.get(own)) !== Number(detail.get(other));
}

function addUpTo(amount: ParsedAmount, parts: readonly CamtPayment[]): boolean {
  if (!('pence' in amount)) return false;
  let sum = 0n;
  for (const part of parts) {
    if (!('pence' in part.amount)) return false;
    sum += BigInt(part.amount.pence);
  }
  return sum === BigInt(amount.pence);
}

function rowOfCamt(
  row: number,
  payment: CamtPayment,
  statement: CamtStatement,
  options: ImportOptions,
): ParsedRow {
  const { entry, detail, amount, amountText, reference } = payment;
  const date = dateField(entry, 'BookgDt') || dateField(entry, 'ValDt');
  const status = entry.get('Sts/Cd') ?? entry.get('Sts') ?? '';
  const bankRow: BankRow = {
    row,
    statement: statement.ends,
    amount,
    date: camtDate(date),
    dateProblem: { message: 'This is not a date of CAMT.' },
    currencies: [
      { says: payment.currency, column: CAMT_NAMES.currency, text: payment.currency },
      { says: statement.currency, column: 'Acct/Ccy', text: statement.currency },
    ],
    description: camtDescription(entry, detail),
    reference: referenceIn(options.accountLabel ?? statement.ends.account, reference),
    texts: { date, amount: amountText },
    directions: directionOfDetail(payment),
    problems: [
      ...(status === BOOKED || NOT_BOOKED.includes(status) ? [] : [statusProblem(status)]),
      ...(payment.twice === undefined ? [] : [twiceProblem(payment.twice)]),
    ],
    ...(NOT_BOOKED.includes(status) && { skipReason: `The entry is not booked: its status is ${status}.` }),
  };
  return parsedBankRow(bankRow, CAMT_NAMES, options);
}

/** The sign of an entry's only transaction. In a reversal it may be the sign of the payment that comes back. */
function directionOfDetail({ entry, detail }: CamtPayment): Evidence<EntryType>[] {
  const text = detail.get('CdtDbtInd');
  if (text === undefined || isReversal(entry)) return [];
  return [{ says: text === 'CRDT' ? 'income' : 'expense', column: 'TxDtls/CdtDbtInd', text }];
}

const isReversal = (entry: CamtFields) => ['true', '1'].includes(entry.get('RvslInd') ?? '');

function twiceProblem(column: string): RowProblem {
  return { column, value: '', message: 'The entry has this element twice.' };
}

function statusProblem(status: string): RowProblem {
  return {
    column: 'Sts',
    value: status,
    message: 'The status does not say whether the entry is booked.',
  };
}

const dateField = (fields: CamtFields, name: string) =>
  fields.get(`${name}/Dt`) ?? fields.get(`${name}/DtTm`) ?? '';

/** The bank's date, without time and zone. */
const camtDate = (text: string) => readDate(text.slice(0, 10), 'ymd');

/**
 * The amount with the sign of CdtDbtInd, which is the sign of the entry itself, even for a reversal: CRDT with RvslInd is a returned
 * debit.
 */
function directedAmount(fields: CamtFields, text: string): ParsedAmount {
  const direction = fields.get('CdtDbtInd');
  if (!/^\d+(\.\d+)?$/.test(text)) return { problem: 'This is not an amount of CAMT.' };
  // XML has one decimal mark, so a zero after the pence is unambiguous.
  const read = readAmount(text.replace(/(\.\d\d)0$/, '$1'), '.');
  if ('problem' in read || direction === 'CRDT') return read;
  return direction === 'DBIT'
    ? { pence: 0 - read.pence }
    : { problem: 'CdtDbtInd says neither CRDT nor DBIT, so that the amount has no sign.' };
}

/** The other party and the remittance information. In a reversal, the returned payment gives the parties. */
function camtDescription(entry: CamtFields, detail: CamtFields): string {
  const isCredit = (detail.get('CdtDbtInd') ?? entry.get('CdtDbtInd')) === 'CRDT';
  const party = `RltdPties/${isCredit === isReversal(entry) ? 'Cdtr' : 'Dbtr'}`;
  const name = detail.get(`${party}/Nm`) ?? detail.get(`${party}/Pty/Nm`) ?? '';
  const texts = ['RmtInf/Ustrd', 'RmtInf/Strd/CdtrRefInf/Ref', 'AddtlTxInf'].map((path) => detail.get(path));
  const text = texts.find((each) => each !== undefined) ?? entry.get('AddtlNtryInf') ?? '';
  return joinTexts([cleanText(name), cleanText(text)]);
}
