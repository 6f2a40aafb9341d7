/** Words that say whether a payment happened, or of which kind it is. They settle a column only if it has no other words. */

import { words } from './total-texts.ts';

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
/** Names of yes/no columns for payments that did not happen. */
const NOT_HAPPENED_NAMES = words(
  '(?:is)?(?:pending|declined|failed|void(?:ed)?|cancell?ed|reversed|reverted|refunded|bounced|deleted|excluded)',
);
const STATUS_NAME = /(?:status|state)(?:code)?$/;
const NO = /^(no?|false|not yet)$/i;
const YES = /^(?:y|yes|true|x|1|\u2713|\u2714)$/i;
/** Payment kinds that move no money. */
const MOVED_NOTHING =
  /^(?:memo|hold|void|declined|failed|cancell?ed)$|^pending\b|\baccount hold\b|\bauthori[sz]ation\b|\bpayment (?:review )?hold\b/i;

/** Whether a text says that the payment happened. Undefined if it is no such word. @param key of the column */
export function hasHappened(text: string, key: string): boolean | undefined {
  if (key === 'balanceimpact') return !/^memo$/i.test(text);
  if (NOT_HAPPENED_NAMES.test(key))
    return YES.test(text) ? false : NO.test(text) || text === '' ? true : undefined;
  if (DID_NOT_HAPPEN.test(text)) return false;
  if (HAPPENED_NAMES.test(key))
    return NO.test(text) ? false : YES.test(text) || HAPPENED.test(text) ? true : undefined;
  return HAPPENED.test(text) ? true : undefined;
}

/** Whether a column of this name has the states of payments. */
export const isStateName = (key: string): boolean =>
  [STATUS_NAME, HAPPENED_NAMES, NOT_HAPPENED_NAMES].some((name) => name.test(key)) || key === 'balanceimpact';

export const movedNothing = (kind: string): boolean => MOVED_NOTHING.test(kind);

/**
 * Codes and names of banks for kinds of payment. They settle a column only if it has no other words. A general word is a question: a transfer
 * or a payment without a sign may be money out, and on a card a payment is money in.
 */
const STATE_KINDS =
  /^(?:dd|so|sto|bgc|bgi|bac|bacs|bp|chg|chq|cpt|atm|pos|deb|dep|fpi|fpo|fp|tfr|trf|int|int\.|sal|vis|visa|mtu|cor|csh|ddr|chaps|faster payments?(?: (?:in|out|receipt|inward|outward))?|direct debit|standing order|card payment|card purchase|debit card|contactless|cash ?point|cash withdrawal|bank giro credit|bill payment)s?$/i;

/** Whether the text is a kind of payment, which gives no direction beside a sign. */
export const isKindOfPayment = (text: string): boolean => STATE_KINDS.test(text.trim());
