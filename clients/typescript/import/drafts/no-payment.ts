/** Rows of a table that are no payment: the header again, what did not happen, balances, totals, headings and notes. */

import type { Columns, Layout } from '../columns/layout.ts';
import { headerKey } from '../files/cells.ts';
import { isBlankAmount } from '../values/amounts.ts';
import type { Problem } from './draft.ts';

type CellOf = (index: number | undefined) => string;

const DID_NOT_HAPPEN = words(
  'pending|declined|denied|reverted|reversed|refunded|returned|bounced|failed|cancelled|canceled|rejected|expired|void|voided|deleted|removed',
  'draft|scheduled|upcoming|planned|forecast|queued|initiated|created|incomplete|abandoned|in progress|processing|waiting|error',
  'unpaid|not paid|due|overdue|outstanding|owed|owing|awaiting payment|on hold|held|hold|blocked|memo|charged back|chargeback',
  'authori[sz]ed|authori[sz]ation|general authori[sz]ation|account hold|not completed|not received',
);
const HAPPENED = words(
  'completed?|settled|posted|booked|cleared|paid|received|success|successful|succeeded|done|processed|executed|confirmed|approved|accepted',
  'reconciled|unreconciled|matched|unmatched|verified|explained|unexplained|ok|final|finali[sz]ed|sent|collected|banked|credited|debited',
  'paid in full|paid out|transferred|captured|closed|yes|y|c|r|x|normal|active|manual|automatic|new|imported|exported',
);
/** Names of columns that say by yes and no whether a payment happened. */
const HAPPENED_NAMES = ['paid', 'ispaid', 'received', 'rentpaid', 'rentreceived', 'cleared'];
const NO = /^(no?|false|not yet)$/i;
/** Kinds of payment that moved no money, in a column of kinds. */
const MOVED_NOTHING = words('memo|authori[sz]ation|general authori[sz]ation|account hold|hold|void');

const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:[a-z]*)';
/** Words that say when, and nothing of a payment. */
const WHEN = String.raw`(?:[\s:,.()/&–-]|\d+(?:st|nd|rd|th)?|£|gbp|as|at|on|of|from|for|to|until|up|the|this|date|period|page|day|week|month|quarter|q[1-4]|year|tax|end|start|statement|account|sheet|${MONTH})*`;
const BALANCE_NAME = String.raw`(?:(?:opening|closing|starting|start|ending|end|previous|final|current|statement|available|account|ledger|bank)(?: [a-z]+)? balance|balance (?:brought|carried) (?:forward|down|over)|balance(?= (?:as|at|on|of|b\/|c\/|\d))|(?:balance )?[bc]\/(?:f|fwd|d)|(?:brought|carried) (?:forward|down|over))`;
/** A whole text that no payment has. */
export const BALANCE = new RegExp(`^${BALANCE_NAME}(?![a-z])${WHEN}$`, 'i');
const LIKE_BALANCE =
  /\b(?:opening|closing|starting|ending) balance\b|\bbalance (?:brought|carried) (?:forward|down)\b/i;

const TOTAL_NAME =
  '(?:(?:grand|sub|net|running|overall|yearly|annual|monthly|quarterly)[ -]?)?(?:totals?|sums?)';
const OF =
  '(?:income|rents?|expenses?|expenditure|costs?|received|paid|spent|in|out|all|payments?|receipts?|amount)';
/** A shop may be called Total, so that a total with a date is a problem, and is not skipped. */
const TOTAL = new RegExp(
  `^(?:${MONTH} |year |tax year |q[1-4] )?${TOTAL_NAME}(?![a-z])(?:${WHEN}(?:${OF}\\b)?)*$`,
  'i',
);
const LIKE_TOTAL = new RegExp(`(?<![a-z])${TOTAL_NAME}(?![a-z])|(?<![a-z])(?:gesamt|summe)(?![a-z])`, 'i');

function words(...lines: string[]): RegExp {
  return new RegExp(`^(?:${lines.join('|')})$`, 'i');
}

/** Rows of a bank, and of an export of the ledger, happened whatever their texts say. */
const isOwnTable = ({ bank, isExact }: Layout) => !bank && !isExact;

/** Why the row is no payment. @param date of the row, if it has one that can be read */
export function reasonToSkip(
  cells: readonly string[],
  layout: Layout,
  cell: CellOf,
  date: string | undefined,
): string | undefined {
  const { bank, header, columns } = layout;
  if (header.length > 0 && header.every((name, index) => cell(index) === name)) {
    return 'This is the header again.';
  }
  const state = cell(columns.only);
  if (bank?.only && state.toUpperCase() !== bank.only.value) {
    return `${bank.only.column} is ${state === '' ? 'empty' : state}, not ${bank.only.value}.`;
  }
  const status = cell(columns.status);
  if (DID_NOT_HAPPEN.test(status)) return `The status is ${status}.`;
  if (isOwnTable(layout)) {
    const at = cells.findIndex((text, index) => saysNo(text, headerKey(header[index] ?? '')));
    if (at !== -1) return `${header[at]} is ${cells[at]}.`;
    const type = cell(columns.type);
    if (MOVED_NOTHING.test(type)) return `${header[columns.type ?? -1] ?? 'The type'} is ${type}.`;
  }
  if (date !== undefined) {
    const isBalance = isOwnTable(layout) && columns.description.some((index) => BALANCE.test(cell(index)));
    return isBalance && hasAmount(cell, columns) ? 'This is a balance, not a transaction.' : undefined;
  }
  const dateText = cell(columns.date);
  const isTotal =
    LIKE_TOTAL.test(dateText) ||
    (!/\d/.test(dateText) && cells.some((text) => TOTAL.test(text))) ||
    cells.some((text) => /^(grand |sub-?)?totals?:?$/i.test(text));
  if (isTotal) return 'This is a total, not a transaction.';
  if (BALANCE.test(dateText) || (dateText === '' && cells.some((text) => BALANCE.test(text)))) {
    return 'This is a balance, not a transaction.';
  }
  return hasAmount(cell, columns) ? undefined : 'There is neither a date nor an amount.';
}

function saysNo(text: string, name: string): boolean {
  if (name === 'balanceimpact') return /^memo$/i.test(text);
  return HAPPENED_NAMES.includes(name) && (NO.test(text) || DID_NOT_HAPPEN.test(text));
}

/** What makes it doubtful that a row with a date and an amount is a payment. */
export function doubtOfPayment(
  layout: Layout,
  cell: CellOf,
): (Pick<Problem, 'field' | 'message' | 'option'> & { index: number | undefined }) | undefined {
  if (!isOwnTable(layout)) return undefined;
  const { columns } = layout;
  const [index] = columns.description;
  const doubt = (kind: string) => ({
    ...{ index, field: 'description' as const },
    message: `This seems to be a ${kind}, not a transaction. Remove the row, or name what was paid.`,
  });
  if (TOTAL.test(cell(index))) return doubt('total');
  if (LIKE_BALANCE.test(cell(index))) return doubt('balance');
  const status = cell(columns.status);
  if (status === '' || HAPPENED.test(status)) return undefined;
  const message =
    'The status does not say whether the payment was made. Correct it, or leave the column out if it says something else.';
  return { index: columns.status, message, option: 'ignore' };
}

/** Whether a text speaks of a total, so that a row that is the sum of those before it is none. */
export const isLikeTotal = (text: string) =>
  LIKE_TOTAL.test(text) || /(?<![a-z])(?:overall|balance|to date)(?![a-z])/i.test(text);

function hasAmount(cell: CellOf, columns: Columns): boolean {
  const amounts = [columns.amount, columns.amountPence, columns.moneyIn, columns.moneyOut];
  return amounts.some((index) => !isBlankAmount(cell(index)));
}
