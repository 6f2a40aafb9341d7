/**
 * Codes and names of banks for kinds of payment. They settle a column only if it has no other words. A general word is a question: a transfer
 * or a payment without a sign may be money out, and on a card a payment is money in.
 */
const KINDS =
  /^(?:dd|so|sto|bgc|bgi|bac|bacs|bp|chg|chq|cpt|atm|pos|deb|dep|fpi|fpo|fp|tfr|trf|int|int\.|sal|vis|visa|mtu|cor|csh|ddr|chaps|faster payments?(?: (?:in|out|receipt|inward|outward))?|direct debit|standing order|card payment|card purchase|debit card|contactless|cash ?point|cash withdrawal|bank giro credit|bill payment)s?$/i;

/** Whether the text is a kind of payment, which gives no direction beside a sign. */
export const isKindOfPayment = (text: string): boolean => KINDS.test(text.trim());
