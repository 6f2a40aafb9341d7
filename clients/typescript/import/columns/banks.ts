/** The layouts of the exports of banks and of Airbnb. A row with all `header` columns of a layout identifies it. */
import type { AmountColumns } from '../questions-and-answers.ts';

export interface BankLayout {
  bank: string;
  /** Aliases for the bank option: banks of the same group with the same layout. */
  alsoKnownAs?: string[];
  /** The columns that identify the layout. Case, spaces and punctuation do not count. */
  header: string[];
  /** The header is too common to identify the bank; only the bank option chooses the layout. */
  isByOptionOnly?: true;
  /** The file has no header row: `columns` are 1-based numbers. */
  hasNoHeader?: true;
  date: string;
  /** One signed column, or the pair moneyIn and moneyOut. */
  amount?: string;
  moneyIn?: string;
  moneyOut?: string;
  /** Positive amounts are expenses, as on statements of credit cards. */
  isPositiveSpent?: true;
  /** Fees in addition to the amount. */
  fee?: string;
  /** Several amounts of a row, in place of the columns above. Columns that the file lacks do not count. */
  amounts?: AmountColumns[];
  /** The sum of the amounts. Alone, it is the amount of the row. */
  check?: string;
  /** Columns that repeat the amount with its sign, or are empty. */
  repeats?: string[];
  /** Columns to join; `or` replaces them if all are empty. */
  description: string[];
  or?: string;
  /** The user's notes, which follow the first column of the description. */
  notes?: string;
  /** A column that is unique for each transaction of all accounts of the bank. */
  reference?: string;
  /** The columns that name the account. */
  account?: string[];
  /** The first cell of a line before the header that has the account in its second cell. */
  accountLine?: string;
  currency?: string;
  /** The balance after the row. */
  balance?: string;
  /** Other columns of the bank, not in `header`, that may hold numbers or dates and are not read. */
  others?: string[];
  /** Only rows with this value are completed transactions. */
  only?: { column: string; value: string };
  /** Rows with one of these values, in lower case, only move money to another account. */
  moves?: { column: string; values: string[] };
  isMonthFirst?: true;
}

/** All of these but Airbnb write the day first. */
export const BANKS: BankLayout[] = [
  {
    bank: 'monzo',
    header: ['Transaction ID', 'Date', 'Time', 'Type', 'Name', 'Amount', 'Currency'],
    date: 'Date',
    amount: 'Amount',
    description: ['Name', 'Description'],
    or: 'Type',
    notes: 'Notes and #tags',
    reference: 'Transaction ID',
    currency: 'Currency',
    repeats: ['Money Out', 'Money In'],
    others: ['Local amount', 'Category split', 'Address', 'Receipt'],
  },
  {
    bank: 'monzo',
    header: ['id', 'created', 'amount', 'currency', 'local_amount', 'local_currency', 'description'],
    date: 'created',
    amount: 'amount',
    description: ['description'],
    or: 'category',
    notes: 'notes',
    reference: 'id',
    others: ['address', 'receipt'],
    currency: 'currency',
  },
  {
    bank: 'starling',
    header: ['Date', 'Counter Party', 'Reference', 'Type', 'Amount (GBP)'],
    date: 'Date',
    amount: 'Amount (GBP)',
    balance: 'Balance (GBP)',
    description: ['Counter Party', 'Reference'],
    or: 'Type',
  },
  {
    bank: 'barclays',
    header: ['Number', 'Date', 'Account', 'Amount', 'Subcategory', 'Memo'],
    date: 'Date',
    amount: 'Amount',
    description: ['Memo'],
    or: 'Subcategory',
    account: ['Account'],
  },
  {
    bank: 'lloyds',
    alsoKnownAs: ['halifax', 'bank-of-scotland'],
    header: [
      'Transaction Date',
      'Transaction Type',
      'Sort Code',
      'Account Number',
      'Transaction Description',
      'Debit Amount',
      'Credit Amount',
    ],
    date: 'Transaction Date',
    moneyIn: 'Credit Amount',
    moneyOut: 'Debit Amount',
    balance: 'Balance',
    description: ['Transaction Description'],
    or: 'Transaction Type',
    account: ['Sort Code', 'Account Number'],
  },
  {
    bank: 'lloyds',
    header: ['Date', 'Date entered', 'Reference', 'Description', 'Amount'],
    date: 'Date',
    amount: 'Amount',
    isPositiveSpent: true,
    description: ['Description'],
    or: 'Reference',
  },
  {
    bank: 'natwest',
    alsoKnownAs: ['rbs', 'ulster'],
    header: ['Date', 'Type', 'Description', 'Value', 'Balance', 'Account Name', 'Account Number'],
    date: 'Date',
    amount: 'Value',
    balance: 'Balance',
    description: ['Description'],
    or: 'Type',
    account: ['Account Number'],
  },
  {
    bank: 'nationwide',
    header: ['Date', 'Transaction type', 'Description', 'Paid out', 'Paid in', 'Balance'],
    date: 'Date',
    moneyIn: 'Paid in',
    moneyOut: 'Paid out',
    balance: 'Balance',
    description: ['Description'],
    or: 'Transaction type',
    accountLine: 'Account Name',
  },
  {
    bank: 'hsbc',
    header: ['Date', 'Type', 'Description', 'Paid out', 'Paid in', 'Balance'],
    date: 'Date',
    moneyIn: 'Paid in',
    moneyOut: 'Paid out',
    balance: 'Balance',
    description: ['Description'],
    or: 'Type',
  },
  {
    bank: 'hsbc',
    header: ['Date', 'Description', 'Amount'],
    isByOptionOnly: true,
    date: 'Date',
    amount: 'Amount',
    description: ['Description'],
  },
  {
    bank: 'hsbc',
    header: [],
    hasNoHeader: true,
    isByOptionOnly: true,
    date: '1',
    amount: '3',
    description: ['2'],
  },
  {
    bank: 'revolut',
    header: [
      'Type',
      'Product',
      'Started Date',
      'Completed Date',
      'Description',
      'Amount',
      'Fee',
      'Currency',
      'State',
    ],
    date: 'Completed Date',
    amount: 'Amount',
    fee: 'Fee',
    balance: 'Balance',
    description: ['Description'],
    or: 'Type',
    account: ['Product', 'Currency'],
    currency: 'Currency',
    only: { column: 'State', value: 'COMPLETED' },
  },
  {
    bank: 'revolut',
    header: [
      'Date completed (UTC)',
      'ID',
      'Type',
      'State',
      'Description',
      'Payment currency',
      'Total amount',
    ],
    date: 'Date completed (UTC)',
    amount: 'Total amount',
    description: ['Description', 'Reference'],
    or: 'Type',
    reference: 'ID',
    currency: 'Payment currency',
    others: ['Date started (UTC)', 'Orig amount', 'Amount', 'Exchange rate', 'Fee', 'Card number', 'MCC'],
    only: { column: 'State', value: 'COMPLETED' },
  },
  {
    bank: 'amex',
    header: ['Date', 'Description', 'Amount'],
    isByOptionOnly: true,
    date: 'Date',
    amount: 'Amount',
    isPositiveSpent: true,
    description: ['Description'],
    account: ['Account #'],
  },
  {
    bank: 'amex',
    header: ['Date', 'Description', 'Amount', 'Appears On Your Statement As', 'Town/City', 'Postcode'],
    date: 'Date',
    amount: 'Amount',
    isPositiveSpent: true,
    description: ['Description'],
    account: ['Account #'],
    others: ['Extended Details', 'Address', 'Reference'],
  },
  {
    bank: 'airbnb',
    header: ['Date', 'Type', 'Confirmation code', 'Amount', 'Paid out', 'Service fee', 'Gross earnings'],
    date: 'Date',
    isMonthFirst: true,
    // The cleaning fee is part of the gross earnings.
    amounts: [
      { columns: ['Gross earnings'], direction: 'in' },
      { columns: ['Service fee', 'Fast pay fee'], direction: 'out' },
    ],
    check: 'Amount',
    // Adjustments, and the months of a long stay, repeat the confirmation code. So it is no reference.
    description: ['Type', 'Confirmation code', 'Guest', 'Details'],
    // Hosts rename their listings.
    notes: 'Listing',
    currency: 'Currency',
    others: [
      ...['Arriving by date', 'Booking date', 'Start date', 'End date', 'Nights', 'Reference code'],
      ...['Cleaning fee', 'Occupancy taxes', 'Earnings year'],
    ],
    moves: { column: 'Type', values: ['payout'] },
  },
];

/** The names for the bank option, without aliases. */
export const BANK_NAMES = [...new Set(BANKS.map(({ bank }) => bank))];
