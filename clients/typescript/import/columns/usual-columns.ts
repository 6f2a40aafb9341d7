/** The usual names of columns, for files of unknown banks. The first name of a list that the file has is taken. */
import { headerKey } from '../files/cells.ts';
import type { Columns, Layout } from './layout.ts';

/**
 * Names with one certain meaning, as `headerKey` writes them: lower case, letters and digits only, without "gbp" at the end. Names that
 * can mean something else are in no list: a total or a value may be a running one, a receipt may be its number, rent may be what is due,
 * a deposit or a payment may be a tenant's, and a cost may exclude tax. An invoice has another date than its payment.
 */
const USUAL_NAMES = {
  date: 'date transactiondate dateoftransaction datecompleted completeddate completed postingdate posteddate dateposted postdate bookingdate bookeddate valuedate txndate transdate trandate paymentdate datepaid paidon datereceived when day',
  amount: 'amount transactionamount amountpounds transactionvalue amt debitcredit creditdebit',
  amountPence: 'amountpence amountinpence',
  moneyIn:
    'moneyin paidin credit creditamount credits amountin amountcredit amountcredited received amountreceived incoming cashin income cr amountcr cramount',
  moneyOut:
    'moneyout paidout debit debitamount debits amountout amountdebit amountdebited withdrawal withdrawals withdrawn spent expense expenses expenditure outgoing outgoings cashout dr amountdr dramount',
  description:
    'description transactiondescription transactiondetails details detail narrative narration particulars payee payer merchant merchantname counterparty counterpartyname name memo item text transaction transactions merchantdescription referencedescription paymentdetails paymenttypeanddetails notes note supplier tenant comment comments purpose what whatfor spenton',
  category: 'category categorykey',
  type: 'type incomeexpense incomeorexpense incomeexpenses direction inout inorout debitcredit debitorcredit creditdebit creditordebit creditdebitindicator drcr crdr dc sign afbij sollhaben entrytype transactiontype',
  reference: 'externalref externalreference transactionid txnid uniqueid uniquereference fitid',
  balance: 'balance runningbalance runningtotal accountbalance bankbalance balanceafter',
  currency: 'currency currencycode ccy paymentcurrency',
  account: 'account accountnumber accountname accountno iban accountid',
  status: 'status state transactionstatus paymentstatus',
} as const;
const KNOWN_HEADERS = Object.fromEntries(
  Object.entries(USUAL_NAMES).map(([field, names]) => [field, names.split(' ')]),
) as Record<keyof typeof USUAL_NAMES, string[]>;
/** The payer's text. It repeats ("RENT" each month), so it extends the description and never identifies an entry. */
const PAYMENT_REFERENCES = ['reference', 'ref', 'paymentreference', 'transactionreference'];

/** Names of columns that certainly hold no money of a transaction, by what they hold. */
const WITHOUT_MONEY = {
  // The last names are not the balance after each row.
  balance: [...KNOWN_HEADERS.balance, 'availablebalance', 'openingbalance', 'closingbalance'],
  number: [
    ...'id no nr number row line code year taxyear month quarter week period time postcode phone telephone mobile'.split(
      ' ',
    ),
    ...'transactionno transactionnumber receiptno receiptnumber invoiceno invoicenumber chequeno chequenumber voucherno'.split(
      ' ',
    ),
    ...'vouchernumber cardno cardnumber sortcode customerid tenantid propertyid property house flat unit room'.split(
      ' ',
    ),
    ...'propertyno houseno housenumber flatno flatnumber unitno roomno nominalcode accountcode quantity qty nights'.split(
      ' ',
    ),
    ...KNOWN_HEADERS.reference,
    ...KNOWN_HEADERS.account,
    ...PAYMENT_REFERENCES,
  ],
  direction: KNOWN_HEADERS.type,
  text: [
    ...KNOWN_HEADERS.description,
    ...KNOWN_HEADERS.category,
    ...KNOWN_HEADERS.currency,
    ...KNOWN_HEADERS.status,
  ],
};
type WithoutMoney = keyof typeof WITHOUT_MONEY;

/** The content of a column of this name, if that is certainly no money of a transaction. */
export function withoutMoney(key: string): WithoutMoney | undefined {
  const bare = withoutPounds(key);
  const kinds = Object.keys(WITHOUT_MONEY) as WithoutMoney[];
  return kinds.find((kind) => WITHOUT_MONEY[kind].includes(bare));
}

/** Names that an earlier version did not read. */
const LATER_DESCRIPTIONS = ['whatfor', 'spenton'];
/** The number of columns at the beginning of the description that an earlier version did not read. */
export function laterDescriptions({
  columns,
  header,
  resolvedColumns,
  foundDescriptions = [],
}: Layout): number {
  const [first = -1] = columns.description;
  const isLater = LATER_DESCRIPTIONS.includes(withoutPounds(headerKey(header[first] ?? '')));
  return foundDescriptions.length || (isLater && !resolvedColumns.has(first) ? 1 : 0);
}

export const isDescriptionName = (key: string) => KNOWN_HEADERS.description.includes(withoutPounds(key));
export const isDateName = (name: string) => KNOWN_HEADERS.date.includes(headerKey(name));

/** Whether a column of this name holds words for income and expense. Type and Transaction type may hold payment kinds. */
export function isDirectionName(key = ''): boolean {
  const bare = withoutPounds(key);
  return KNOWN_HEADERS.type.includes(bare) && !['type', 'entrytype', 'transactiontype'].includes(bare);
}

const withoutPounds = (key: string) => key.replace(/(?<=.)gbp$/, '');

/** Whether a column may have amounts. @param isOfWords the name also fits a column of words */
type HasDigits = (index: number, isOfWords?: boolean) => boolean;

/** The columns that a header names. A pair of money in and money out precedes a single amount. */
export function usualColumns(keys: readonly string[], hasDigits: HasDigits = () => true): Partial<Columns> {
  const bare = keys.map(withoutPounds);
  const taken = new Set<number>();
  const find = (names: readonly string[], is: (index: number) => boolean = () => true) => {
    for (const name of names) {
      const index = bare.findIndex((key, at) => key === name && !taken.has(at) && is(at));
      if (index === -1) continue;
      taken.add(index);
      return index;
    }
    return undefined;
  };
  const date = find(KNOWN_HEADERS.date);
  const amountPence = find(KNOWN_HEADERS.amountPence, (index) => hasDigits(index));
  const named = {
    moneyIn: find(KNOWN_HEADERS.moneyIn, (at) => hasDigits(at)),
    moneyOut: find(KNOWN_HEADERS.moneyOut, (at) => hasDigits(at)),
  };
  const pair = pairIn(bare.map((key, index) => (hasDigits(index) ? key : '')));
  const isNamed = named.moneyIn !== undefined && named.moneyOut !== undefined;
  const { moneyIn, moneyOut } = (isNamed ? undefined : pair) ?? named;
  for (const index of [moneyIn, moneyOut]) if (index !== undefined) taken.add(index);
  const amount = find(
    KNOWN_HEADERS.amount,
    (index) => !isDirectionName(keys[index]) || hasDigits(index, true),
  );
  const isPair =
    amountPence === undefined && (amount === undefined || (moneyIn !== undefined && moneyOut !== undefined));
  const description = [find(KNOWN_HEADERS.description), find(PAYMENT_REFERENCES)].filter(
    (index) => index !== undefined,
  );
  return {
    ...(date !== undefined && { date }),
    amount: isPair && (moneyIn ?? moneyOut) !== undefined ? undefined : amount,
    amountPence,
    moneyIn: isPair ? moneyIn : undefined,
    moneyOut: isPair ? moneyOut : undefined,
    description,
    category: find(KNOWN_HEADERS.category),
    type: find(KNOWN_HEADERS.type),
    reference: find(KNOWN_HEADERS.reference),
    balance: find(KNOWN_HEADERS.balance),
    currency: find(KNOWN_HEADERS.currency),
    id: find(['id']),
    status: find(KNOWN_HEADERS.status),
    account: [find(['sortcode']), find(KNOWN_HEADERS.account)].filter((index) => index !== undefined),
  };
}

/** "Amount in GBP" and "Paid in £" name a unit, and no money in. */
const ENDS_IN_POUNDS = /in\W*(?:£|gbp)\W*$/i;

/** The columns by their names. A column that is left out gives its meaning to no other one. @param keys without ignored columns */
export function namedColumns(
  cells: readonly string[],
  keys: readonly string[],
  hasDigits: HasDigits,
): Partial<Columns> {
  const isRead = (index: unknown) => typeof index !== 'number' || keys[index] !== '';
  const certain = cells.map((name) => (/%|^\w+\?$/.test(name) ? '' : headerKey(name)));
  const found = usualColumns(certain, hasDigits);
  if (found.moneyOut === undefined && ENDS_IN_POUNDS.test(cells[found.moneyIn ?? -1] ?? ''))
    delete found.moneyIn;
  return Object.fromEntries(
    Object.entries(found)
      .filter(([, index]) => isRead(index))
      .map(([field, index]) => [field, Array.isArray(index) ? index.filter(isRead) : index]),
  );
}

/** Pairs of columns that can only be money in and money out: a word for money in, and its opposite. In the singular, a deposit and a payment may both be a tenant's. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/in/, /out/],
  [/deposits?/, /withdrawals?/],
  [/lodge?ments?/, /withdrawals?/],
  [/deposits/, /payments/],
  [/lodge?ments/, /payments/],
  [/incomings?/, /outgoings?/],
];
/** What both names may have around the words. Check in and stock in are no money. */
const AROUND_OPPOSITES =
  '(?:my|total|bank|account|money|monies|funds?|cash|amounts?|paid|payments?|transfers?|sums?|values?|flows?|pounds|gbp)*';

const SIDES = OPPOSITES.flatMap((words, pair) =>
  words.map((word, side) => ({
    pair,
    side,
    pattern: new RegExp(`^(${AROUND_OPPOSITES}?)${word.source}(${AROUND_OPPOSITES})$`),
  })),
);
const NAME_LENGTH_MAX = 60;

/** The pairs to which a name can belong, each with the words around it; `side` is 0 for money in. */
const sidesOf = (key: string) =>
  SIDES.flatMap(({ pair, side, pattern }) => {
    const [, before, after] = (key.length > NAME_LENGTH_MAX ? null : pattern.exec(key)) ?? [];
    return before === undefined ? [] : [{ side, name: `${pair} ${before} ${after}` }];
  });

/** The indexes of the only pair of a header. */
export function pairIn(keys: readonly string[]): { moneyIn: number; moneyOut: number } | undefined {
  const sides = keys.flatMap((key, index) => sidesOf(key).map((each) => ({ ...each, index })));
  const [ins, outs] = [0, 1].map((side) => sides.filter((each) => each.side === side));
  const found = ins?.flatMap(({ name, index: moneyIn }) =>
    (outs ?? []).flatMap((out) => (out.name === name ? [{ moneyIn, moneyOut: out.index }] : [])),
  );
  return found?.length === 1 ? found[0] : undefined;
}
