/** CAMT.053: the statements of ISO 20022, as XML. */

import { requireAccountName, requireRows } from '../files/bounds.ts';
import { type CamtEntry, type CamtFields, readCamt } from '../files/camt-elements.ts';
import { cleanText, joinTexts } from '../files/cells.ts';
import { type ImportOptions, REFERENCE_LENGTH_MAX } from '../options.ts';
import { type ReadAmount, readAmount } from '../values/amounts.ts';
import { readDate } from '../values/dates.ts';
import { fittingReference } from '../values/reference.ts';
import { type BankRow, draftOfBankRow } from './bank-row.ts';
import type { Draft, Drafts, Problem, StatementEnds } from './draft.ts';

const NAMES = {
  date: 'BookgDt',
  amount: 'Amt',
  currency: 'Ccy',
  description: 'RmtInf',
  reference: 'AcctSvcrRef',
};
/** Booked entries are payments. */
const BOOKED = 'BOOK';
const NOT_BOOKED = ['PDNG', 'INFO', 'FUTR'];
/** What banks write where they have no reference. */
const NO_REFERENCE = /^(non-?ref|not ?(provided|available)|none|unknown|n\/a|0*)$/i;
const OPENING = ['OPBD', 'PRCD'];
const CLOSING = 'CLBD';

interface Statement {
  ends: StatementEnds;
  currency: string;
}

/**
 * The booked entries of all statements of the file. The row is the ordinal. An entry with several transactions whose amounts add up to it
 * is a row for each of them.
 * @throws ImportError `unreadable_file`
 */
export function draftsOfCamt(text: string, { accountLabel }: ImportOptions): Drafts {
  const drafts: Draft[] = [];
  const statements: StatementEnds[] = [];
  let statement: Statement = { ends: { account: '' }, currency: '' };
  readCamt(text, {
    statement() {
      statement = { ends: { account: '' }, currency: '' };
      statements.push(statement.ends);
      requireRows(statements.length);
    },
    account(fields) {
      statement.ends.account = cleanText(fields.get('Id/IBAN') ?? fields.get('Id/Othr/Id') ?? '');
      statement.currency = fields.get('Ccy') ?? '';
      requireAccountName(statement.ends.account);
    },
    balance: (fields) => readBalance(statement.ends, fields),
    entry(entry) {
      const prefix = accountLabel ?? statement.ends.account;
      for (const payment of paymentsOf(entry))
        drafts.push(draftOf(drafts.length + 1, payment, statement, prefix));
      requireRows(drafts.length);
    },
  });
  return { drafts, statements, columnNames: { date: NAMES.date, amount: NAMES.amount } };
}

/** The opening balance of the day, else the closing one of the statement before. A balance that cannot be read is not there. */
function readBalance(ends: StatementEnds, fields: CamtFields): void {
  const kind = fields.get('Tp/CdOrPrtry/Cd') ?? '';
  const date = dateOf(dateText(fields, 'Dt'));
  const amount = amountOf(fields, fields.get('Amt') ?? '');
  if (date === undefined || !('pence' in amount) || (fields.get('Amt@Ccy') ?? 'GBP') !== 'GBP') return;
  const read = { date, pence: amount.pence };
  if (kind === CLOSING) ends.closing ??= read;
  else if (kind === OPENING[0]) ends.opening = read;
  else if (kind === OPENING[1]) ends.opening ??= read;
}

interface Payment {
  entry: CamtFields;
  detail: CamtFields;
  amountText: string;
  amount: ReadAmount;
  currency: string;
  reference: string;
}

function paymentsOf({ fields: entry, details }: CamtEntry): Payment[] {
  const amountText = entry.get('Amt') ?? '';
  const amount = amountOf(entry, amountText);
  const none: CamtFields = new Map();
  const parts = details.map((detail) => {
    const path = detail.has('Amt') ? 'Amt' : 'AmtDtls/TxAmt/Amt';
    const partText = detail.get(path) ?? '';
    return {
      ...{ entry, detail, amountText: partText },
      amount: amountOf(detail.has('CdtDbtInd') ? detail : entry, partText),
      currency: detail.get(`${path}@Ccy`) ?? '',
      reference: referenceOf(detail.get('Refs/AcctSvcrRef')),
    };
  });
  const currency = entry.get('Amt@Ccy') ?? '';
  if (parts.length > 1 && parts.every((part) => part.currency === currency) && addUpTo(amount, parts)) {
    const isUnique = new Set(parts.map(({ reference }) => reference)).size === parts.length;
    return isUnique ? parts : parts.map((part) => ({ ...part, reference: '' }));
  }
  const [part] = parts;
  const own = referenceOf(entry.get('AcctSvcrRef'));
  // What is said of one of several transactions says nothing of the whole.
  const [detail, reference] = part && parts.length === 1 ? [part.detail, own || part.reference] : [none, own];
  return [{ entry, detail, amountText, amount, currency, reference }];
}

function addUpTo(amount: ReadAmount, parts: readonly Payment[]): boolean {
  if (!('pence' in amount)) return false;
  let sum = 0n;
  for (const part of parts) {
    if (!('pence' in part.amount)) return false;
    sum += BigInt(part.amount.pence);
  }
  return sum === BigInt(amount.pence);
}

function draftOf(row: number, payment: Payment, statement: Statement, prefix: string): Draft {
  const { entry, detail, amount, amountText, reference } = payment;
  const named = prefix === '' ? reference : `${prefix}:${reference}`;
  const date = dateText(entry, 'BookgDt') || dateText(entry, 'ValDt');
  const status = entry.get('Sts/Cd') ?? entry.get('Sts') ?? '';
  const bankRow: BankRow = {
    ...{ row, statement: statement.ends, amount },
    date: dateOf(date),
    dateProblem: { message: 'This is not a date of CAMT.' },
    currencies: [
      { says: payment.currency, column: NAMES.currency, text: payment.currency },
      { says: statement.currency, column: 'Acct/Ccy', text: statement.currency },
    ],
    description: descriptionOf(entry, detail),
    reference: reference === '' ? '' : fittingReference(named, REFERENCE_LENGTH_MAX),
    texts: { date, amount: amountText },
    problems: status === BOOKED || NOT_BOOKED.includes(status) ? [] : [statusProblem(status)],
    ...(NOT_BOOKED.includes(status) && { skipReason: `The entry is not booked: its status is ${status}.` }),
  };
  return draftOfBankRow(bankRow, NAMES);
}

function statusProblem(status: string): Problem {
  return {
    column: 'Sts',
    value: status.slice(0, 200),
    message: 'The status does not say whether the entry is booked.',
  };
}

const referenceOf = (text = '') => (NO_REFERENCE.test(cleanText(text)) ? '' : cleanText(text));

const dateText = (fields: CamtFields, name: string) =>
  fields.get(`${name}/Dt`) ?? fields.get(`${name}/DtTm`) ?? '';

/** As the bank writes it: the time and its zone are left out. */
const dateOf = (text: string) => readDate(text.slice(0, 10), 'ymd');

/**
 * With the sign that CdtDbtInd gives. It is that of the entry itself, also of a reversal: CRDT and RvslInd together are a debit that comes
 * back.
 */
function amountOf(fields: CamtFields, text: string): ReadAmount {
  const direction = fields.get('CdtDbtInd');
  if (!/^\d+(\.\d+)?$/.test(text)) return { problem: 'This is not an amount of CAMT.' };
  // XML has one decimal mark, so that more zeros mean nothing.
  const read = readAmount(text.replace(/(\.\d\d)0+$/, '$1'), '.');
  if ('problem' in read || direction === 'CRDT') return read;
  return direction === 'DBIT'
    ? { pence: 0 - read.pence }
    : { problem: 'CdtDbtInd says neither CRDT nor DBIT, so that the amount has no sign.' };
}

/** The other party and what is said of the payment. In a reversal the parties are those of the payment that comes back. */
function descriptionOf(entry: CamtFields, detail: CamtFields): string {
  const isReversal = ['true', '1'].includes(entry.get('RvslInd') ?? '');
  const isCredit = (detail.get('CdtDbtInd') ?? entry.get('CdtDbtInd')) === 'CRDT';
  const party = `RltdPties/${isCredit === isReversal ? 'Cdtr' : 'Dbtr'}`;
  const name = detail.get(`${party}/Nm`) ?? detail.get(`${party}/Pty/Nm`) ?? '';
  const texts = ['RmtInf/Ustrd', 'RmtInf/Strd/CdtrRefInf/Ref', 'AddtlTxInf'].map((path) => detail.get(path));
  const text = texts.find((each) => each !== undefined) ?? entry.get('AddtlNtryInf') ?? '';
  return joinTexts([cleanText(name), cleanText(text)]);
}
