/** Rows of a table that are no payment: repeated headers, payments that did not happen, balances, totals, headings and notes. */

import { type Columns, type Layout, moneyColumns } from '../columns/layout.ts';
import { headerKey } from '../files/cells.ts';
import { isBlankAmount } from '../values/amounts.ts';
import type { Problem } from './draft.ts';

type CellOf = (index: number | undefined) => string;

const DID_NOT_HAPPEN = words(
  'pending|declined|denied|reverted|reversed|refunded|returned|bounced|failed|cancelled|canceled|rejected|expired|void|voided|deleted|removed',
  'draft|scheduled|upcoming|planned|forecast|queued|initiated|created|incomplete|abandoned|in progress|processing|waiting|error',
  'unpaid|not paid|due|overdue|outstanding|owed|owing|awaiting payment|on hold|held|hold|blocked|memo|charged back|chargeback',
  'authori[sz]ed|(?:[a-z]+ )*authori[sz]ation|account hold|not completed|not received|not cleared|unsettled',
);
const HAPPENED = words(
  'completed?|settled|posted|booked|cleared|paid|received|success|successful|succeeded|done|processed|executed|confirmed|approved|accepted',
  'reconciled|unreconciled|matched|unmatched|verified|explained|unexplained|ok|final|finali[sz]ed|sent|collected|banked|credited|debited',
  'paid in full|paid out|transferred|captured|closed|yes|y|c|r|x|normal|active|manual|automatic|new|imported|exported',
);
/** Names of yes/no columns for payments that happened. */
const HAPPENED_NAMES = words(
  '(?:is|rent)?(?:paid|received)|cleared|settled|posted|processed|completed|banked',
);
const NO = /^(no?|false|not yet)$/i;
/** Names of yes/no columns for payments that did not happen. */
const NOT_HAPPENED_NAME =
  /^(?:is)?(?:pending|declined|failed|void(?:ed)?|cancell?ed|reversed|reverted|refunded|bounced|deleted|excluded)$/;
const YES = /^(?:y|yes|true|x|1|\u2713|\u2714)$/i;
const STATUS_NAME = /(?:status|state)(?:code)?$/;
/** Words for this in a column of any name. */
const SURELY_NOT = words(
  'pending|declined|denied|failed|void|voided|cancell?ed|rejected|reversed|reverted|refunded|bounced|unpaid|not paid|overdue',
);
/** Payment kinds that move no money. */
const MOVED_NOTHING =
  /^(?:memo|hold|void|declined|failed|cancell?ed)$|^pending\b|\baccount hold\b|\bauthori[sz]ation\b|\bpayment (?:review )?hold\b/i;

const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:[a-z]*)';
/** Words for a time, not for a payment. */
const WHEN_WORDS =
  'as|at|on|of|from|for|to|until|up|the|this|date|period|page|day|week|month|quarter|q[1-4]|year|tax|end|start|statement|account|sheet';
const WHEN = String.raw`(?:[\s:,.()/&–-]|\d+(?:st|nd|rd|th)?(?!\d)|£|(?:gbp|${WHEN_WORDS}|${MONTH})(?![a-z]))*`;
const FORWARD = String.raw`(?:brought|carried) (?:forward|fwd|down|over)|[bc](?:\/(?:f|fwd|d)|fwd)`;
const BALANCE_NAME = String.raw`(?:(?:opening|closing|starting|start|beginning|initial|ending|end|previous|final|current|statement|available|account|ledger|bank)(?: [a-z]+)? bal(?:ance)?|bal(?:ance)? (?:forward|fwd)|balance(?= (?:as|at|on|of|b\/|c\/|\d))|(?:bal(?:ance)?[. ]+)?(?:${FORWARD}))`;
/** Complete texts that no payment has. */
export const BALANCE = new RegExp(`^${BALANCE_NAME}(?![a-z])${WHEN}$`, 'i');
const LIKE_BALANCE =
  /\b(?:opening|closing|starting|ending) balance\b|\bbalance (?:brought|carried) (?:forward|down)\b/i;

/** A text of only these words means a balance or a total, not a payment. With other words it may be a shop called Total. */
const AROUND = words(
  String.raw`\d.*|q[1-4]|${WHEN_WORDS}|${MONTH}|gbp|my|your|our|in|per|by|and|last|previous|prior|new|old|first|final`,
  'net|gross|running|overall|current|available|monthly|quarterly|yearly|annual|bank|book|ledger|cash|hand|funds|forward|fwd|down|over',
);
const AROUND_BALANCE = words(
  'starting|beginning|initial|ending|reconciled|cleared|overdrawn|outstanding|cr|dr|debit|credit',
);
const AROUND_TOTAL = words(
  'grand|sub|income|rents?|expenses?|expenditure|costs?|received|paid|spent|out|all|payments?|receipts?|amount',
);
const BALANCE_WORD = words(
  `balances?|bal|opening|closing|saldo|anfangssaldo|endsaldo|brought|carried|${FORWARD}`,
);
const TOTAL_WORD = words('(?:sub|grand)?totals?|sums?|ytd|profit|surplus|deficit|gesamt|summe');
const TOTAL_OF = /^(?:grand |sub-? ?)?totals? (?:for|of) /i;
const LIKE_TOTAL = /(?<![a-z])(?:(?:sub|grand)?totals?|sums?|gesamt|summe)(?![a-z])/i;
const ONLY_TOTAL = /^(?:grand |sub-? ?)?totals?:?$/i;

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+(?:\/\p{L}+)?/gu) ?? [];

function isOnly(text: string, word: RegExp, ...around: RegExp[]): boolean {
  const found = wordsOf(text);
  return (
    found.some((each) => word.test(each)) &&
    found.every((each) => [word, AROUND, ...around].some((pattern) => pattern.test(each)))
  );
}

const isTotal = (text: string) => TOTAL_OF.test(text) || isOnly(text, TOTAL_WORD, AROUND_TOTAL, BALANCE_WORD);
const isBalance = (text: string) => BALANCE.test(text) || isOnly(text, BALANCE_WORD, AROUND_BALANCE);

function words(...lines: string[]): RegExp {
  return new RegExp(`^(?:${lines.join('|')})$`, 'i');
}

/** Whether the texts of a row count. Rows of a bank, and of an export of the ledger, happened in any case. */
const isOwnTable = ({ bank, isExact }: Layout) => !bank && !isExact;

/** The reason why the row is no payment. @param date of the row, if readable */
export function reasonToSkip(
  cells: readonly string[],
  layout: Layout,
  cell: CellOf,
  date: string | undefined,
): string | undefined {
  const { bank, header, columns, resolvedColumns } = layout;
  if (header.length > 0 && header.every((name, index) => headerKey(cell(index)) === headerKey(name))) {
    return 'This is the header again.';
  }
  const state = cell(columns.only);
  if (bank?.only && state.toUpperCase() !== bank.only.value) {
    return `${bank.only.column} is ${state === '' ? 'empty' : state}, not ${bank.only.value}.`;
  }
  const kind = cell(columns.moves);
  if (kind !== '' && bank?.moves?.values.includes(kind.toLowerCase())) {
    return `${bank.moves.column} is ${kind}, which only moves the money.`;
  }
  const status = cell(columns.status);
  if (DID_NOT_HAPPEN.test(status)) return `The status is ${status}.`;
  if (isOwnTable(layout)) {
    const at = cells.findIndex((text, index) => text !== '' && saysNo(text, headerKey(header[index] ?? '')));
    if (at !== -1) return `${header[at]} is ${cells[at]}.`;
    const type = cell(columns.type);
    if (MOVED_NOTHING.test(type)) return `${header[columns.type ?? -1] ?? 'The type'} is ${type}.`;
  }
  if (date !== undefined) {
    const isOfBalance = (text: string, at: number) =>
      BALANCE.test(text) && (columns.description.includes(at) || !resolvedColumns.has(at));
    return isOwnTable(layout) && cells.some(isOfBalance)
      ? 'This is a balance, not a transaction.'
      : undefined;
  }
  const dateText = cell(columns.date);
  const isOfTotal =
    LIKE_TOTAL.test(dateText) ||
    (!/\d/.test(dateText) && cells.some(isTotal)) ||
    cells.some((text) => ONLY_TOTAL.test(text));
  if (isOfTotal) return 'This is a total, not a transaction.';
  if (isBalance(dateText) || (dateText === '' && cells.some((text) => BALANCE.test(text)))) {
    return 'This is a balance, not a transaction.';
  }
  return hasAmount(cell, columns) ? undefined : 'There is neither a date nor an amount.';
}

function saysNo(text: string, name: string): boolean {
  if (name === 'balanceimpact') return /^memo$/i.test(text);
  if (STATUS_NAME.test(name)) return DID_NOT_HAPPEN.test(text);
  if (NOT_HAPPENED_NAME.test(name)) return YES.test(text);
  return HAPPENED_NAMES.test(name) && (NO.test(text) || DID_NOT_HAPPEN.test(text));
}

/** Whether a text in a status column is unknown: it may be cut. */
export function isUnknownStatus(name: string, text: string, isEmptyUnusual: boolean): boolean {
  const key = headerKey(name);
  const isStatus = STATUS_NAME.test(key);
  if (text === '')
    return isEmptyUnusual && (isStatus || NOT_HAPPENED_NAME.test(key) || HAPPENED_NAMES.test(key));
  return isStatus && !HAPPENED.test(text) && !DID_NOT_HAPPEN.test(text);
}

/** The reason to doubt that a row with a date and an amount is a payment. */
export function doubtOfPayment(
  cells: readonly string[],
  layout: Layout,
  cell: CellOf,
): (Pick<Problem, 'field' | 'message' | 'option'> & { index: number | undefined }) | undefined {
  const { columns, resolvedColumns } = layout;
  if (!isOwnTable(layout) || !hasAmount(cell, columns)) return undefined;
  const doubt = (index: number | undefined, kind: string) => ({
    ...{ index, field: 'description' as const },
    message: `This seems to be a ${kind}, not a transaction. Remove the row, or name what was paid.`,
  });
  const texts = columns.description.map(cell).filter((text) => text !== '');
  const isAbout = (is: (text: string) => boolean) => texts[0] !== undefined && is(texts[0]);
  const total = cells.findIndex((text, at) => !resolvedColumns.has(at) && ONLY_TOTAL.test(text));
  if (total !== -1) return doubt(total, 'total');
  const [index] = columns.description;
  if (isAbout(isTotal)) return doubt(index, 'total');
  if (isAbout(isBalance) || texts.some((text) => LIKE_BALANCE.test(text))) return doubt(index, 'balance');
  const message =
    'The status does not say whether the payment was made. Correct it, or leave the column out if it says something else.';
  const isRead = (at: number) => resolvedColumns.has(at) || Object.values(columns).flat().includes(at);
  const not = cells.findIndex((text, at) => SURELY_NOT.test(text) && !isRead(at));
  if (not !== -1) return { index: not, message, option: 'ignore' };
  const status = cell(columns.status);
  return status === '' || HAPPENED.test(status)
    ? undefined
    : { index: columns.status, message, option: 'ignore' };
}

/** Whether a text means a total, or only a time. Such a row is no payment if it is the sum of the rows before it. */
export const isLikeTotal = (text: string) =>
  LIKE_TOTAL.test(text) ||
  /(?<![a-z])(?:overall|balance|to date|net|profit|surplus)(?![a-z])/i.test(text) ||
  wordsOf(text).every((word) => AROUND.test(word));

function hasAmount(cell: CellOf, columns: Columns): boolean {
  return moneyColumns(columns).some((index) => !isBlankAmount(cell(index)));
}
