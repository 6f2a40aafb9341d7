/** Names of columns as landlords, banks and accounting programs write them, each with what such a column can hold. */

/** `signed` to `out` are the money of the transaction. The others only look like it. */
export type Content =
  | 'date'
  | 'otherDate'
  | 'signed'
  | 'in'
  | 'out'
  | 'amountDue'
  | 'number'
  | 'runningNumber'
  | 'balance'
  | 'text'
  | 'empty';

const MAY_BE_ANYTHING = 'in out signed amountDue number runningNumber balance otherDate text empty';

const NAMES: [names: string, contents: string][] = [
  ['Date|Transaction Date|Date of transaction|Txn Date|Date paid|Paid on|Payment date|When', 'date'],
  ['Posting date|Value date|Date received', 'date'],
  ['Entry date|Invoice date|Created at', 'date otherDate'],
  ['Due date|Date due|Tenancy start|Tenancy end|Next payment|Check-in', 'otherDate'],
  ['Amount|Amount (£)|Amount (GBP)|Transaction amount|AMOUNT', 'signed runningNumber empty'],
  ['Money in|Paid in|Credit|Amount received|Received|Income', 'in runningNumber empty'],
  ['Money out|Paid out|Debit|Spent|Expenses|Expenditure|Withdrawals', 'out runningNumber empty'],
  ['Rent|Rent £|Rent Due|Rent Paid|Rent received|Rent pcm|Monthly rent', MAY_BE_ANYTHING],
  ['Receipt|Receipts|Payment|Payments|Deposit|Deposits|In|Out', MAY_BE_ANYTHING],
  ['Total|Sum|Value|Price|Cost|Cost £|Costs|Fee|Fees|Charges|Net|Gross|VAT|Tax', MAY_BE_ANYTHING],
  ['Invoice|Cheque|Voucher|Bill|Agent|Commission|Arrears|Owed|Expected|Budget', MAY_BE_ANYTHING],
  [
    'Paid|Subtotal|Amount due|Amount owed|Service charge|Repairs|Insurance|Mortgage|Utilities',
    MAY_BE_ANYTHING,
  ],
  ['Column1|Misc|Other|Extra|Adjustment|Q1|£', MAY_BE_ANYTHING],
  ['Balance|Running balance|Account balance|Balance (£)', 'balance empty'],
  ['Reference|Ref|No|Receipt No|Invoice number|Cheque number', 'number runningNumber text empty'],
  ['Flat|House|Property|Unit|Tenant ID', 'text number empty'],
  ['Description|Details|Narrative|Payee|Memo|Tenant|Supplier|Notes|Comments', 'text empty'],
];

export const REAL_HEADERS: { name: string; contents: Content[] }[] = NAMES.flatMap(([names, contents]) =>
  names.split('|').map((name) => ({ name, contents: contents.split(' ') as Content[] })),
);
