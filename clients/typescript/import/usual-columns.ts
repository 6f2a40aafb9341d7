/** The usual names of columns, for files of no known bank. Of several that are there, the first in the list is taken. */
import type { Columns } from './layout.ts';

/** As `headerKey` writes them: lower case, letters and digits only, without "gbp" at the end. */
const NAMES = {
  date: 'date transactiondate dateoftransaction datecompleted completeddate completed postingdate posteddate dateposted postdate bookingdate bookeddate valuedate txndate transdate trandate entrydate paymentdate datepaid paidon datereceived invoicedate created createdat when day',
  amount:
    'amount transactionamount amountpounds pounds value transactionvalue sum amt total totalamount gbp price debitcredit creditdebit',
  amountPence: 'amountpence pence amountinpence',
  moneyIn:
    'moneyin paidin credit creditamount credits amountin amountcredit amountcredited deposit deposits received receipts receipt income incoming in cashin',
  moneyOut:
    'moneyout paidout debit debitamount debits amountout amountdebit amountdebited withdrawal withdrawals withdrawn spent expense expenses expenditure outgoing outgoings payments out cashout cost',
  description:
    'description transactiondescription transactiondetails details detail narrative narration particulars payee payer merchant merchantname counterparty counterpartyname name memo item text transaction transactions merchantdescription referencedescription paymentdetails paymenttypeanddetails notes note supplier tenant comment comments purpose what',
  category: 'category categorykey',
  type: 'type incomeexpense incomeorexpense incomeexpenses direction inout inorout debitcredit debitorcredit creditdebit creditordebit creditdebitindicator drcr crdr dc entrytype transactiontype',
  reference: 'externalref externalreference transactionid txnid uniqueid uniquereference fitid',
  currency: 'currency currencycode ccy paymentcurrency',
  account: 'account accountnumber accountname accountno iban accountid',
} as const;
const KNOWN = Object.fromEntries(
  Object.entries(NAMES).map(([field, names]) => [field, names.split(' ')]),
) as Record<keyof typeof NAMES, string[]>;
/** What the payer wrote. It repeats ("RENT" each month), so that it adds to the description and never identifies an entry. */
const PAYMENT_REFERENCES = ['reference', 'ref', 'paymentreference', 'transactionreference'];

/** The columns that a header names; a pair of money in and money out goes before a single amount. */
export function usualColumns(keys: readonly string[]): Partial<Columns> {
  const bare = keys.map((key) => key.replace(/(?<=.)gbp$/, ''));
  const taken = new Set<number>();
  const find = (names: readonly string[]) => {
    for (const name of names) {
      const index = bare.findIndex((key, at) => key === name && !taken.has(at));
      if (index === -1) continue;
      taken.add(index);
      return index;
    }
    return undefined;
  };
  const date = find(KNOWN.date);
  const amountPence = find(KNOWN.amountPence);
  const moneyIn = find(KNOWN.moneyIn);
  const moneyOut = find(KNOWN.moneyOut);
  const amount = find(KNOWN.amount);
  const isPair =
    amountPence === undefined && (amount === undefined || (moneyIn !== undefined && moneyOut !== undefined));
  const description = [find(KNOWN.description), find(PAYMENT_REFERENCES)].filter(
    (index) => index !== undefined,
  );
  return {
    ...(date !== undefined && { date }),
    amount: isPair && (moneyIn ?? moneyOut) !== undefined ? undefined : amount,
    amountPence,
    moneyIn: isPair ? moneyIn : undefined,
    moneyOut: isPair ? moneyOut : undefined,
    description,
    category: find(KNOWN.category),
    type: find(KNOWN.type),
    reference: find(KNOWN.reference),
    currency: find(KNOWN.currency),
    id: find(['id']),
    status: find(['status', 'state', 'transactionstatus', 'paymentstatus']),
    account: [find(['sortcode']), find(KNOWN.account)].filter((index) => index !== undefined),
  };
}
