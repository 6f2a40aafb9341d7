/** The elements of a transaction of OFX: read, ignored and unknown ones. */
import { cleanText, headerKey, joinTexts } from '../files/cells.ts';
import type { RowProblem } from '../rows/parsed-row.ts';
import { isCurrency, isOfCurrency, POUNDS_CODE } from '../values/currency.ts';
import { directionOf } from '../values/direction.ts';
import { hasHappened, isStateName } from '../values/states.ts';
import type { BankRow } from './bank-row.ts';
import type { Fields } from './ofx-direction.ts';

/** The elements that are read. */
const READ_ELEMENTS =
  'TRNTYPE DTPOSTED TRNAMT NAME PAYEE EXTDNAME MEMO FITID CORRECTFITID CORRECTACTION'.split(' ');
/** The other elements of OFX, unrelated to date, amount, direction and currency. */
const IGNORED_ELEMENTS = [
  ...'DTUSER DTAVAIL SRVRTID CHECKNUM REFNUM SIC PAYEEID ADDR1 ADDR2 ADDR3 CITY STATE POSTALCODE COUNTRY PHONE'.split(
    ' ',
  ),
  ...'BANKACCTTO CCACCTTO BANKID BRANCHID ACCTID ACCTTYPE ACCTKEY CURRATE ORIGCURRENCY INV401KSOURCE'.split(
    ' ',
  ),
  ...'IMAGEDATA IMAGETYPE IMAGEREF IMAGEREFTYPE IMAGEDELAY DTIMAGEAVAIL IMAGETTL CHECKSUP'.split(' '),
];
/** A value with a sign or with pence. */
export const MONEY_VALUE = /^[-+]\s*[\d.,]+$|^\d[\d,.]*[.,]\d\d?$/;

export const TRANSACTIONS = ['STMTTRN', 'STMTTRNP'];

interface OfxTransaction {
  name: string;
  fields: Fields;
  problems: RowProblem[];
}

/** A payee also has a name: the first one counts. */
const REPEATED_FIELDS = ['NAME', ...IGNORED_ELEMENTS];

export function addField(
  { name, fields, problems }: OfxTransaction,
  tag: string,
  value: string,
  line: number,
): void {
  const addProblem = (message: string) =>
    problems.push({ column: tag, value: value, message: `${message} (line ${line}).` });
  const isOfInvestment = !TRANSACTIONS.includes(name);
  if (tag.startsWith('/')) {
    if (value !== '' && !isOfInvestment) addProblem('The text is behind an element, and of none');
    if (tag === '/ORIGCURRENCY') fields.delete('group');
  } else if (value === '' && tag !== 'CURRENCY' && tag !== 'ORIGCURRENCY') return;
  else if (tag === 'ORIGCURRENCY') fields.set('group', tag);
  else if (tag === 'CURRENCY' || tag === 'CURSYM') {
    if (tag === 'CURRENCY') fields.delete('group');
    if (value !== '' && !fields.has('group')) fields.set('CURRENCY', value);
  } else if (isOfInvestment || READ_ELEMENTS.includes(tag)) {
    if (!fields.has(tag)) fields.set(tag, value);
    else if (!isOfInvestment && !REPEATED_FIELDS.includes(tag) && value !== fields.get(tag)) {
      addProblem('The transaction has this element twice');
    }
  } else if (!IGNORED_ELEMENTS.includes(tag) && isEvidence(tag, value))
    addProblem('OFX has no such element in a transaction');
}

/** Names of elements of a bank that may hold whole pounds. */
const MONEY_NAME = /AMT|AMOUNT|FEE|TAX|VAT|CHARGE|TOTAL|NET|GROSS|CASHBACK|DISCOUNT|PENCE/;

/** Whether an element that only the bank has may be about the amount, the direction, the currency or the state of the payment. */
function isEvidence(tag: string, value: string): boolean {
  const isOfMoney = MONEY_VALUE.test(value) || (MONEY_NAME.test(tag) && /\d/.test(value));
  const isForeign = isCurrency(value) && !isOfCurrency(value, POUNDS_CODE);
  const key = headerKey(tag);
  const hasMoved = hasHappened(value, key);
  const isOfState = isStateName(key) ? !hasMoved : hasMoved === false;
  return isOfMoney || isForeign || isOfState || directionOf(value) !== undefined;
}

/** The most characters of NAME in OFX. */
const OFX_NAME_LENGTH_MAX = 32;
const LETTERS_OR_DIGITS = /[\p{L}\p{N}]+/gu;

/** Joins NAME and MEMO, without a separator where MEMO continues a cut NAME. References are derived with a dash there. */
export function ofxDescription(field: (name: string) => string): Pick<BankRow, 'description' | 'earlier'> {
  const [cut, extended, memo] = [field('NAME') || field('PAYEE'), field('EXTDNAME'), field('MEMO')];
  const texts = [cut, extended, memo].map(cleanText);
  const description = joinTexts(texts);
  const [name = '', , more = ''] = texts;
  if (extended !== '' || [...cut].length !== OFX_NAME_LENGTH_MAX || !isContinued(name, more))
    return { description };
  return { description: `${name}${more}`, earlier: { description, keepsReference: true } };
}

/** Whether MEMO continues NAME (`Limit` and `ed`). Some banks repeat NAME in it, or begin another text (`Limited` and `Rent`). */
function isContinued(name: string, memo: string): boolean {
  if (memo === '' || memo.toLowerCase().includes(name.toLowerCase())) return false;
  const words = new Set(name.toLowerCase().match(LETTERS_OR_DIGITS));
  const isRepeated = (memo.toLowerCase().match(LETTERS_OR_DIGITS) ?? []).every((word) => words.has(word));
  return !isRepeated && !(/\p{Ll}$/u.test(name) && /^\p{Lu}/u.test(memo));
}
