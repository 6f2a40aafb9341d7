/** The payments and balances of one account in a file, as the file has them. */

/** The balance of an account, in signed pence. */
export interface Balance {
  /** YYYY-MM-DD. */
  date: string;
  pence: number;
}
/** A payment, as the file has it. */
export interface StatementRow {
  row: number;
  date: string;
  /** Signed: negative for an expense. */
  pence: number;
  /** Of pence and balance, if they are not in pounds: then they are hundredths of its unit. */
  currency?: string;
  /** The balance after the row, if the file has it. */
  balance?: number;
}
/** The payments of one account in the file. Rules and corrections change nothing here. `proof` checks the chain of its balances. */
export interface AccountStatement {
  /** `accountLabel` if the file has one account, else as the file names it, or empty. */
  account: string;
  /** In the order of the file. */
  rows: StatementRow[];
  /** The rows that may be payments and cannot be read. */
  unread: { row: number; date?: string }[];
  /** Before the first payment and after the last one, if the file says so. */
  opening?: Balance;
  closing?: Balance;
}

/** The amount of a row in another currency. */
export interface Conversion {
  /** Its code, such as EUR. */
  currency: string;
  /** Hundredths of its unit. */
  pence: number;
  /** As the file of rates has it. */
  rate: string;
  /** As the description has it: `EUR 850.00 at 0.8612 GBP per EUR`. */
  text: string;
}
