/** Kinds of payment of banks. They settle a column only if it has no other words. */
const KINDS =
  /^(?:dd|so|sto|bgc|bgi|bac|bacs|bp|chg|chq|cpt|atm|pos|deb|dep|fpi|fpo|fp|tfr|trf|int|int\.|fee|sal|vis|visa|mtu|pay|cor|csh|ddr|chaps|faster payments?(?: (?:in|out|receipt|inward|outward))?|direct debit|standing order|card payment|card purchase|debit card|contactless|cash(?: ?point| withdrawal)?|cheque|bank (?:giro )?(?:credit|transfer)|bill payment|online (?:transfer|payment)|transfer|interest|charge|charges|purchase|payment)s?$/i;

/** Whether the text is a kind of payment, which says nothing about the direction beside a sign. */
export const isKindOfPayment = (text: string): boolean => KINDS.test(text.trim());
