/** Texts that mean a balance or a total, not a payment. */

const MONTH_NAME =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|(?:nov|dec)(?:ember)?)';
/** Words for a time, not for a payment. */
const WHEN_WORDS =
  'as|at|on|of|from|for|to|until|up|the|this|date|period|page|day|week|month|quarter|q[1-4]|year|tax|end|start|statement|account|sheet';
const WHEN = String.raw`(?:[\s:,.()/&–-]|\d+(?:st|nd|rd|th)?(?!\d)|£|(?:gbp|${WHEN_WORDS}|${MONTH_NAME})(?![a-z]))*`;
const FORWARD = String.raw`(?:brought|carried) (?:forward|fwd|down|over)|[bc](?:\/(?:f|fwd|d)|fwd)`;
const BALANCE_NAME = String.raw`(?:(?:opening|closing|starting|start|beginning|initial|ending|end|previous|final|current|statement|available|account|ledger|bank)(?: [a-z]+)? bal(?:ance)?|bal(?:ance)? (?:forward|fwd)|balance(?= (?:as|at|on|of|b\/|c\/|\d))|(?:bal(?:ance)?[. ]+)?(?:${FORWARD}))`;
/** Complete texts that no payment has. */
export const BALANCE = new RegExp(`^${BALANCE_NAME}(?![a-z])${WHEN}$`, 'i');
const LIKE_BALANCE =
  /\b(?:opening|closing|starting|ending) balance\b|\b(?:brought|carried) (?:forward|down|over)\b/i;

/** A text of only these words means a balance or a total, not a payment. With other words it may be a shop called Total. */
const AROUND = words(
  String.raw`\d.*|q[1-4]|${WHEN_WORDS}|${MONTH_NAME}|gbp|my|your|our|in|per|by|and|last|previous|prior|new|old|first|final`,
  'net|gross|running|overall|current|available|monthly|quarterly|yearly|annual|bank|book|ledger|cash|hand|funds|forward|fwd|down|over',
);
const AROUND_BALANCE = words(
  'starting|beginning|initial|ending|reconciled|cleared|overdrawn|outstanding|cr|dr|debit|credit',
);
const AROUND_TOTAL = words(
  'grand|sub|income|rents?|expenses?|expenditure|costs?|received|paid|spent|out|all|payments?|receipts?|amount',
);
/** The other words around a balance may be the name of an account or of a kind of payment. */
const TIME_WORDS = words(String.raw`\d.*|q[1-4]|day|week|month|quarter|year|period|${MONTH_NAME}`);
const BALANCE_WORD = wordOrPart(
  `balances?|bal|opening|closing|saldo|anfangssaldo|endsaldo|brought|carried|${FORWARD}`,
);
const TOTAL_WORD = wordOrPart('(?:sub|grand)?totals?|sums?|ytd|profit|surplus|deficit|gesamt|summe');
const TOTAL_OF = /^(?:grand |sub-? ?)?totals? (?:for|of) /i;
const LIKE_TOTAL = /(?<![a-z])(?:(?:sub|grand)?totals?|sums?|gesamt|summe)(?![a-z])/i;
const ONLY_TOTAL = /^(?:grand |sub-? ?)?totals?:?$/i;

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+(?:\/\p{L}+)?/gu) ?? [];

/** A pattern of these complete texts. */
export function words(...lines: string[]): RegExp {
  return new RegExp(`^(?:${lines.join('|')})$`, 'i');
}

/** `part` tells most texts apart at once. */
function wordOrPart(alternatives: string) {
  return { word: words(alternatives), part: new RegExp(alternatives, 'i') };
}

function isOnly(text: string, { word, part }: ReturnType<typeof wordOrPart>, ...around: RegExp[]): boolean {
  if (!part.test(text)) return false;
  const found = wordsOf(text);
  return (
    found.some((each) => word.test(each)) &&
    found.every((each) => [word, AROUND, ...around].some((pattern) => pattern.test(each)))
  );
}

export const isTotal = (text: string): boolean =>
  TOTAL_OF.test(text) || isOnly(text, TOTAL_WORD, AROUND_TOTAL, BALANCE_WORD.word);
export const isOnlyTotal = (text: string): boolean => ONLY_TOTAL.test(text);
export const hasTotal = (text: string): boolean => LIKE_TOTAL.test(text);
export const isBalance = (text: string): boolean =>
  BALANCE.test(text) || isOnly(text, BALANCE_WORD, AROUND_BALANCE);
export const hasBalance = (text: string): boolean => LIKE_BALANCE.test(text);
/** A text that only names a time. */
export const isTime = (text: string): boolean => {
  const found = wordsOf(text);
  return found.some((word) => TIME_WORDS.test(word)) && found.every((word) => AROUND.test(word));
};
