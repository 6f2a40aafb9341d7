/** The payments and balances of one account, exactly as in the file. */

/** The balance of an account, in signed pence. */
export interface Balance {
  /** YYYY-MM-DD. */
  date: string;
  pence: number;
}
/** A payment in the file. */
export interface StatementRow {
  row: number;
  date: string;
  /** Signed: negative for an expense. */
  pence: number;
  /** The currency of `pence` and `balance`, if not pounds: they are hundredths of its unit. */
  currency?: string;
  /** The balance after the row, if the file has it. */
  balance?: number;
}
/** The payments of one account in the file, before rules and corrections. `reconciliation` checks the chain of its balances. */
export interface AccountStatement {
  /** `accountLabel` if the file has one account, else the name in the file, or empty. */
  account: string;
  /** In the order of the file. */
  rows: StatementRow[];
  /** The rows that may be payments and cannot be read. */
  unread: { row: number; date?: string }[];
  /** The balances before the first payment and after the last one, if the file has them. */
  opening?: Balance;
  closing?: Balance;
  /** The first and the last day that the bank names, if it does. The statement may have no payments of these days. */
  from?: string | undefined;
  to?: string | undefined;
}

/** The amount of a row in another currency. */
export interface Conversion {
  /** Its code, such as EUR. */
  currency: string;
  /** Hundredths of its unit. */
  pence: number;
  /** The text in the file of rates. */
  rate: string;
  /** The text in the description: `EUR 850.00 at 0.8612 GBP per EUR`. */
  text: string;
}
